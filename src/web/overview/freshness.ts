import { type Html, html } from "../kit/html.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { forHowLong, timeElement } from "../kit/words.ts";
import { figuresAsOf } from "../lists/figures.ts";
import type { ErpConnections, Overview } from "./overview-figures.ts";

type Connection = ErpConnections[number];

/** As of when the figures are, and each ERP that is not read as it should be. */
export function freshness(
  { connections, totals }: Pick<Overview, "connections" | "totals">,
  visit: WorkspaceVisit,
  now: Date,
): Html | null {
  const live = connections.filter(({ status }) => status !== "disconnected");
  if (live.length === 0) return null;
  const ill = live.filter(({ status, last_successful_sync_at: at }) => status !== "connected" || at === null);
  const { timezone } = visit.workspace;
  const read = live.map(({ last_successful_sync_at }) => ({ currency: null, as_of: last_successful_sync_at }));
  const asOf = figuresAsOf(totals.length > 0 ? totals : read, timezone);
  return html`<div class="fresh"><p class="quiet">${asOf !== null && html`${asOf}. `}Times are in ${timezone}. <a href="${visit.address("/sync-runs")}">Sync history</a></p>${ill.map((one) => html`<p class="warn">${troubleOf(one, visit, now)}</p>`)}</div>`;
}

function troubleOf({ id, status, last_successful_sync_at: fresh }: Connection, visit: WorkspaceVisit, now: Date): Html {
  const { timezone } = visit.workspace;
  const since =
    fresh === null
      ? html`Nothing was ever read from this ERP.`
      : html`Its figures are as of ${timeElement(fresh, timezone)}.`;
  const howLong = fresh === null ? "" : ` for ${forHowLong(fresh, now)}`;
  if (status === "requires_reauthentication")
    return html`An ERP has refused its password${howLong}. ${since} ${visit.isAdmin ? html`<a href="/erp-connections">Reconnect it</a>` : "An admin can reconnect it."}`;
  const start =
    fresh === null &&
    visit.isAdmin &&
    visit.button(
      `/erp-connections/${visit.workspace.tenantId}/${id}/sync`,
      html`<button class="plain small">Sync now</button>`,
    );
  if (status === "temporarily_unavailable")
    return html`An ERP has not answered${howLong}. ${since} It is tried again by itself. ${start}`;
  return html`An ERP is connected, and its first sync has not succeeded yet. ${start}`;
}

import { counted } from "../../core/shared/counted.ts";
import { buttonForm } from "../kit/fields.ts";
import { type Html, html } from "../kit/html.ts";
import { ago, forHowLong, timeElement } from "../kit/words.ts";
import type { WorkspaceVisit } from "../kit/workspace-pages.ts";
import type { ErpConnections } from "./overview-figures.ts";

type Connection = ErpConnections[number];

/** How current the figures are: the oldest sync of the connections that work, and each that does not. */
export function freshness(connections: ErpConnections, visit: WorkspaceVisit, now: Date): Html | null {
  const live = connections.filter(({ status }) => status !== "disconnected");
  if (live.length === 0) return null;
  const isWell = ({ status, last_successful_sync_at: at }: Connection): boolean =>
    status === "connected" && at !== null;
  const well = live.filter(isWell);
  const ill = live.filter((one) => !isWell(one));
  const oldest = well.flatMap(({ last_successful_sync_at: at }) => (at === null ? [] : [at])).sort()[0];
  const { timezone } = visit.workspace;
  const times = html`Times are in ${timezone}. <a href="${visit.address("/sync-runs")}">Sync history</a>`;
  const others = [
    well.length > 1 && html`, the oldest of ${well.length} ERPs`,
    ill.length > 0 && html`, except those of ${counted(ill.length, "ERP")}`,
  ];
  return html`<div class="fresh"><p class="quiet">${oldest !== undefined && html`Figures as of ${timeElement(oldest, timezone)}, ${ago(oldest, now)}${others}. `}${times}</p>${ill.map((one) => html`<p class="warn">${troubleOf(one, visit, now)}</p>`)}</div>`;
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
    buttonForm(
      visit.visit.formField,
      `/erp-connections/${visit.workspace.tenantId}/${id}/sync`,
      html`<button class="plain small">Sync now</button>`,
    );
  if (status === "temporarily_unavailable")
    return html`An ERP has not answered${howLong}. ${since} It is tried again by itself. ${start}`;
  return html`An ERP is connected, and its first sync has not succeeded yet. ${start}`;
}

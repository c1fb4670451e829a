import { forHowLong, html, link, muted, warning } from "../kit/markup.ts";
import type { WorkspaceVisit } from "../kit/page.ts";
import { figuresAsOf } from "../lists/list.ts";
import type { ErpConnections, Overview } from "./overview-figures.ts";

type Connection = ErpConnections[number];

/** As of when the figures are, and each ERP that is not read as it should be. */
export function freshness({ connections, totals }: Overview, visit: WorkspaceVisit) {
  const live = connections.filter(({ status }) => status !== "disconnected");
  if (live.length === 0) return null;
  const ill = live.filter(({ status, last_successful_sync_at: at }) => status !== "connected" || at === null);
  const { timezone } = visit.workspace;
  const read = live.map(({ last_successful_sync_at }) => ({ currency: null, as_of: last_successful_sync_at }));
  const asOf = figuresAsOf(totals.length > 0 ? totals : read, timezone);
  return html`<div class="fresh">${muted([
    asOf !== null && html`${asOf}. `,
    `Times are in ${timezone}. `,
    visit.link("/sync-runs", "Sync history"),
  ])}${ill.map((one) => warning(troubleOf(one, visit)))}</div>`;
}

function troubleOf({ id, status, last_successful_sync_at: fresh }: Connection, visit: WorkspaceVisit) {
  const { isAdmin, workspace, site } = visit;
  const since =
    fresh === null ? "Nothing was ever read from this ERP." : html`Its figures are as of ${visit.time(fresh)}.`;
  const howLong = fresh === null ? "" : ` for ${forHowLong(fresh, site.core.clock.now())}`;
  if (status === "requires_reauthentication")
    return html`An ERP has refused its password${howLong}. ${since}
${isAdmin ? link("/erp-connections", "Reconnect it") : "An admin can reconnect it."}`;
  const path = `/erp-connections/${workspace.tenantId}/${id}/sync`;
  const start = fresh === null && isAdmin && visit.button(path, html`<button class="plain small">Sync now</button>`);
  if (status === "temporarily_unavailable")
    return html`An ERP has not answered${howLong}. ${since} It is tried again by itself. ${start}`;
  return html`An ERP is connected, and its first sync has not succeeded yet. ${start}`;
}

import { forHowLong, html, link, muted, warning } from "../kit/markup.ts";
import type { WorkspaceVisit } from "../kit/page.ts";
import { figuresAsOf } from "../lists/list.ts";
import { type ErpConnections, howRetried } from "../receivables/needs.ts";
import type { Overview } from "./overview-figures.ts";

type Connection = ErpConnections[number];

/** As of when the figures are, and each ERP that is not read as it should be, but for those that need a person. */
export function freshness({ needs, totals }: Overview, visit: WorkspaceVisit) {
  const live = needs.connections.filter(({ status }) => status !== "disconnected");
  if (live.length === 0) return null;
  const ill = live
    .filter(({ status, last_successful_sync_at: at }) => status !== "connected" || at === null)
    .filter(({ id }) => !needs.hasInvoices || needs.stale.every((one) => one.id !== id));
  const { timezone } = visit.workspace;
  const read = live.map(({ last_successful_sync_at }) => ({ currency: null, as_of: last_successful_sync_at }));
  const asOf = figuresAsOf(totals.length > 0 ? totals : read, timezone);
  return html`<div class="fresh">${muted([
    asOf !== null && html`${asOf}. `,
    visit.link("/sync-runs", "Sync history"),
  ])}${ill.map((one) => warning(troubleOf(one, visit)))}</div>`;
}

function troubleOf(connection: Connection, visit: WorkspaceVisit) {
  const { id, name, status, sync_enabled: syncs, last_successful_sync_at: fresh } = connection;
  const { isAdmin, workspace, site } = visit;
  const since = fresh === null ? "Nothing was ever read from it." : html`Its figures are as of ${visit.time(fresh)}.`;
  const howLong = fresh === null ? "" : ` for ${forHowLong(fresh, site.core.clock.now())}`;
  if (status === "requires_reauthentication")
    return html`${name} has refused its password${howLong}. ${since}
${isAdmin ? link("/erp-connections", "Reconnect it") : "An admin can reconnect it."}`;
  const path = `/erp-connections/${workspace.tenantId}/${id}/sync`;
  const start =
    fresh === null && isAdmin && syncs && visit.button(path, html`<button class="plain small">Sync now</button>`);
  if (status === "temporarily_unavailable")
    return html`${name} has not answered${howLong}. ${since} ${howRetried(connection)} ${start}`;
  return html`${name} is connected, and its first sync has not succeeded yet. ${start}`;
}

import { sql } from "kysely";
import type { Shards } from "../../store/shards.ts";
import type { Transaction } from "../../store/store.ts";
import type { ErpConnectionRow } from "../../store/tables/erp.ts";
import { isConnected } from "../erp-access/connection-status-queries.ts";

/** An ERP that does not answer is asked less and less often: at the least every two hours, or at its own longer interval. */
const LONGEST_PAUSE_MINUTES = 120;

/**
 * Connections of all tenants whose interval has passed since their last run finished (service.md §2.2). It doubles with each
 * run in a row, from the second on, that the ERP did not answer. The first pull of one that works is due at once. A time beyond `farthest` came from a wrong clock.
 */
export async function dueConnections(
  tx: Transaction,
  shards: Shards,
  { now, farthest }: { now: string; farthest: string },
) {
  const { rows } = await sql<Pick<ErpConnectionRow, "tenant_id" | "connection_id">>`
    select connection.tenant_id, connection.connection_id from erp_connections as connection
    where connection.auto_sync_enabled and connection.sync_enabled and ${isConnected("connection")}
      and ${shards.has(sql.ref("connection.tenant_id"))}
      and (connection.last_sync_at > ${farthest}
        or connection.last_sync_at is null and connection.status = 'connected' or coalesce(connection.last_sync_at, connection.created_at)
        + least(connection.auto_sync_interval_minutes * (1 << least(greatest(connection.unreachable_runs - 1, 0), 8)),
            greatest(connection.auto_sync_interval_minutes, ${LONGEST_PAUSE_MINUTES})) * interval '1 minute' <= ${now})
      and not exists (
        select from sync_runs as run
        where run.tenant_id = connection.tenant_id and run.connection_id = connection.connection_id
          and run.status = 'running')
    order by connection.last_sync_at nulls first`.execute(tx);
  return rows;
}

import type { SelectQueryBuilder } from "kysely";
import type { Given } from "../../store/prepared.ts";
import type { Transaction } from "../../store/store.ts";
import type { ErpConnectionRow } from "../../store/tables/erp.ts";
import type { Tables } from "../../store/tables/index.ts";

/** The columns a caller may see. */
export const ERP_CONNECTION_COLUMNS = [
  "connection_id",
  "provider",
  "status",
  "last_sync_at",
  "last_successful_sync_at",
  "auto_sync_enabled",
  "auto_sync_interval_minutes",
  "pull_invoice_date_from",
  "created_at",
] as const satisfies (keyof ErpConnectionRow)[];

/** What a caller may see of a connection. */
export type ErpConnectionRecord = Pick<ErpConnectionRow, (typeof ERP_CONNECTION_COLUMNS)[number]>;

/** All connections of the tenant, unordered. */
export function visibleConnections(
  tx: Transaction,
  tenantId: Given<string>,
): SelectQueryBuilder<Tables, "erp_connections", ErpConnectionRecord> {
  return tx.selectFrom("erp_connections").select(ERP_CONNECTION_COLUMNS).where("tenant_id", "=", tenantId);
}

import type { Transaction } from "../../store/store.ts";
import type { ErpConnectionRow } from "../../store/tables/erp.ts";
import { ERP_CONNECTION_COLUMNS, type ErpConnectionRecord } from "./list-queries.ts";

/** Changes settings of one of the tenant's connections and reads it; undefined when missing. */
export function updateSettings(
  tx: Transaction,
  { tenantId, connectionId }: { tenantId: string; connectionId: string },
  settings: Partial<Pick<ErpConnectionRow, "auto_sync_enabled" | "auto_sync_interval_minutes" | "payment_push_mode">>,
): Promise<ErpConnectionRecord | undefined> {
  return tx
    .updateTable("erp_connections")
    .set(settings)
    .where("tenant_id", "=", tenantId)
    .where("connection_id", "=", connectionId)
    .returning(ERP_CONNECTION_COLUMNS)
    .executeTakeFirst();
}

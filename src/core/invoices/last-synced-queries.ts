import { sql } from "kysely";

/**
 * SQL of an invoice's `last_synced_at` (service.md §2.3): when it was last read from the ERP. `invoice` is the alias of
 * `invoices` in the query around it. A read that found nothing new writes no row: the run that covered it tells, and only
 * those are looked at that no later run surpasses, however many there have been. Of a retired one the row itself tells.
 */
export function lastSyncedAt(invoice: string, tenantId: string) {
  const column = (name: string) => sql.ref(`${invoice}.${name}`);
  return sql<string | null>`greatest(
    ${column("last_synced_at")},
    (select run.started_at from sync_runs as run
     where run.tenant_id = ${tenantId} and run.connection_id = ${column("connection_id")}
       and ${column("retired_at")} is null and run.covers and run.read_through >= ${column("erp_invoice_id")}
       and (run.pull_from is null or run.pull_from <= ${column("invoice_date")})
       and (${column("missing_since")} is null or run.started_at < ${column("missing_since")})
     order by run.started_at desc limit 1))`;
}

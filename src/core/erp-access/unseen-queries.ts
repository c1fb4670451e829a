import { sql } from "kysely";
import { anyOf } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";

/**
 * Whether an ERP that is connected has invoices nobody has seen here: no sync of it ever succeeded, or the last that did read no
 * invoices as old as those that are imported now.
 */
export async function hasUnseenErp(tx: Transaction, tenantId: string) {
  const { rows } = await sql<{ connection_id: string }>`
    select connection.connection_id from erp_connections as connection
    left join lateral (select run.pull_from from sync_runs as run
      where run.tenant_id = ${tenantId} and run.connection_id = connection.connection_id and run.status = 'succeeded'
      order by run.started_at desc limit 1) as latest on true
    where connection.tenant_id = ${tenantId} and connection.status <> 'disconnected'
      and (connection.last_successful_sync_at is null
        or latest.pull_from is not null and (connection.pull_invoice_date_from is null
          or connection.pull_invoice_date_from < latest.pull_from))
    limit 1`.execute(tx);
  return rows.length > 0;
}

/** Those of some invoices that came from an ERP which was synced once, was moved to another address, and was not synced there. */
export async function invoicesOfMovedErp(tx: Transaction, tenantId: string, invoiceIds: readonly string[]) {
  const rows = await tx
    .selectFrom("invoices")
    .innerJoin("erp_connections as connection", (join) =>
      join.on("connection.tenant_id", "=", tenantId).onRef("connection.connection_id", "=", "invoices.connection_id"),
    )
    .select("invoices.invoice_id")
    .where("invoices.tenant_id", "=", tenantId)
    .where("invoices.invoice_id", "=", anyOf(invoiceIds, "uuid"))
    .where("connection.last_successful_sync_at", "is", null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("sync_runs as run")
          .select("run.sync_run_id")
          .where("run.tenant_id", "=", tenantId)
          .whereRef("run.connection_id", "=", "connection.connection_id")
          .where("run.status", "=", "succeeded"),
      ),
    )
    .execute();
  return new Set(rows.map((row) => row.invoice_id));
}

/** Whether a workflow of the workspace is on. */
export async function hasWorkflowOn(tx: Transaction, tenantId: string) {
  const found = await tx
    .selectFrom("workflows")
    .select("workflow_id")
    .where((column) => column.and({ tenant_id: tenantId, enabled: true }))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

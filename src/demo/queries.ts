import type { Transaction } from "../store/store.ts";

/** Whether the workspace has an invoice of that number. */
export async function hasInvoiceNumber(tx: Transaction, tenantId: string, number: string): Promise<boolean> {
  const row = await tx
    .selectFrom("invoices")
    .select("invoice_id")
    .where("tenant_id", "=", tenantId)
    .where("invoice_number", "=", number)
    .executeTakeFirst();
  return row !== undefined;
}

/** The customer of a connection by its number in the ERP. */
export async function selectCustomerByNumber(
  tx: Transaction,
  tenantId: string,
  connectionId: string,
  number: string,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom("customers")
    .select("customer_id")
    .where("tenant_id", "=", tenantId)
    .where("connection_id", "=", connectionId)
    .where("numbers", "=", number)
    .executeTakeFirst();
  return row?.customer_id;
}

/** Whether a pull has written anything yet. */
export async function hasReadInvoices(tx: Transaction, tenantId: string, syncRunId: string): Promise<boolean> {
  const run = await tx
    .selectFrom("sync_runs")
    .select("invoices_read")
    .where("tenant_id", "=", tenantId)
    .where("sync_run_id", "=", syncRunId)
    .executeTakeFirst();
  return run !== undefined && run.invoices_read > 0;
}

/** Points a connection of the demo at the port its simulated ERP got this time. */
export async function moveConnection(
  tx: Transaction,
  { tenantId, connectionId, baseUrl }: { tenantId: string; connectionId: string; baseUrl: string },
): Promise<void> {
  await tx
    .updateTable("erp_connections")
    .set({ base_url: baseUrl })
    .where("tenant_id", "=", tenantId)
    .where("connection_id", "=", connectionId)
    .where("base_url", "!=", baseUrl)
    .execute();
}

import { sql } from "kysely";
import { stampInvoices, touchInvoices } from "../../store/aging/rollup.ts";
import type { Transaction } from "../../store/store.ts";
import type { InstallmentRow, SettledElsewhere } from "../../store/tables/invoices.ts";

/** An invoice of the tenant, locked; undefined when missing. */
export function lockInvoice(tx: Transaction, tenantId: string, invoiceId: string) {
  return tx
    .selectFrom("invoices")
    .selectAll()
    .where((column) => column.and({ tenant_id: tenantId, invoice_id: invoiceId }))
    .forUpdate()
    .executeTakeFirst();
}

/** Installments of an invoice that were not removed, in order. */
export function liveInstallments(tx: Transaction, tenantId: string, invoiceId: string): Promise<InstallmentRow[]> {
  return tx
    .selectFrom("installments")
    .selectAll()
    .where((column) => column.and({ tenant_id: tenantId, invoice_id: invoiceId }))
    .where("removed_at", "is", null)
    .orderBy("sequence_number")
    .execute();
}

/** The origins of other invoices with a number. */
export async function originsOfNumber(tx: Transaction, tenantId: string, number: string, exceptId: string | null) {
  const { rows } = await sql<{ origin: "local" | "erp" }>`
    select distinct origin from invoices
    where tenant_id = ${tenantId} and invoice_number = ${number} and invoice_id is distinct from ${exceptId}::uuid`.execute(
    tx,
  );
  return rows.map((row) => row.origin);
}

/** Notes money that came another way. */
export async function addSettled(
  tx: Transaction,
  tenantId: string,
  invoiceId: string,
  settled: SettledElsewhere,
  at: string,
): Promise<void> {
  touch(tx, invoiceId, at);
  await sql`update invoices set settled_elsewhere = settled_elsewhere || ${JSON.stringify([settled])}::jsonb, updated_at = ${at}
    where tenant_id = ${tenantId} and invoice_id = ${invoiceId}`.execute(tx);
}

/** Voids an invoice. */
export async function setVoided(tx: Transaction, tenantId: string, invoiceId: string, at: string): Promise<void> {
  touch(tx, invoiceId, at);
  await sql`update invoices set voided_at = ${at}, updated_at = ${at}
    where tenant_id = ${tenantId} and invoice_id = ${invoiceId}`.execute(tx);
}

function touch(tx: Transaction, invoiceId: string, at: string): void {
  touchInvoices(tx, [invoiceId]);
  stampInvoices(tx, [invoiceId], at);
}

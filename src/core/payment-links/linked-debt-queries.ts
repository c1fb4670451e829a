import { sql } from "kysely";
import { anyOf } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";
import type { InstallmentRow, InvoiceRow } from "../../store/tables/invoices.ts";

/** What a link needs to know of its invoice. */
export type LinkedInvoice = Pick<InvoiceRow, "invoice_id" | "invoice_number" | "currency">;

/** The same of its installment. */
export type LinkedInstallment = Pick<
  InstallmentRow,
  "installment_id" | "invoice_id" | "not_collectible_reason" | "collection_outstanding"
>;

/** Invoices by id, locked in the order of their ids: every writer of their links and figures waits. */
export function lockLinkedInvoices(tx: Transaction, tenantId: string, invoiceIds: readonly string[]) {
  return tx
    .selectFrom("invoices")
    .select(["invoice_id", "invoice_number", "currency"])
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", anyOf(invoiceIds, "uuid"))
    .orderBy("invoice_id")
    .forUpdate()
    .execute();
}

/** Installments by id, removed ones too, of invoices that are locked already where `lock` says so. */
export function linkedInstallments(
  tx: Transaction,
  tenantId: string,
  {
    invoiceIds,
    installmentIds,
    lock,
  }: { invoiceIds: readonly string[]; installmentIds: readonly string[]; lock: boolean },
): Promise<LinkedInstallment[]> {
  const query = tx
    .selectFrom("installments")
    .select(["installment_id", "invoice_id", "not_collectible_reason", "collection_outstanding"])
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", anyOf(invoiceIds, "uuid"))
    .where("installment_id", "=", anyOf(installmentIds, "uuid"))
    .orderBy("installment_id");
  return (lock ? query.forUpdate() : query).execute();
}

/** Writes down which of some invoices have an active link; `updated_at` does not move (service.md §2.3). */
export async function markActiveLinks(tx: Transaction, tenantId: string, invoiceIds: readonly string[]): Promise<void> {
  await sql`update invoices as invoice set has_active_payment_link = not invoice.has_active_payment_link
    where invoice.tenant_id = ${tenantId} and invoice.invoice_id = ${anyOf(invoiceIds, "uuid")}
      and invoice.has_active_payment_link <> exists (
        select from payment_links as link
        where link.tenant_id = ${tenantId} and link.invoice_id = invoice.invoice_id and link.state = 'active')`.execute(
    tx,
  );
}

/** Writes down that a person withdrew a link on an installment: Auto Generate makes none in its place (completions §12). */
export async function markWithdrawn(tx: Transaction, tenantId: string, installmentId: string, at: string) {
  await tx
    .updateTable("installments")
    .set(({ ref }) => ({ withdrawn_by_person_at: at, withdrawn_by_person_amount: ref("collection_outstanding") }))
    .where("tenant_id", "=", tenantId)
    .where("installment_id", "=", installmentId)
    .execute();
}

/** Takes that back: somebody made a link on each of them. */
export async function clearWithdrawn(tx: Transaction, tenantId: string, installmentIds: readonly string[]) {
  if (installmentIds.length === 0) return;
  await tx
    .updateTable("installments")
    .set({ withdrawn_by_person_at: null, withdrawn_by_person_amount: null })
    .where("tenant_id", "=", tenantId)
    .where("installment_id", "=", anyOf(installmentIds, "uuid"))
    .where("withdrawn_by_person_at", "is not", null)
    .execute();
}

import { anyOf } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";

/** What a link needs to know of its invoice. */
export type LinkedInvoice = Awaited<ReturnType<typeof lockLinkedInvoices>>[number];

/** The same of its installment. */
export type LinkedInstallment = Awaited<ReturnType<typeof linkedInstallments>>[number];

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
  debts: { invoiceIds: readonly string[]; installmentIds: readonly string[]; lock: boolean },
) {
  const query = tx
    .selectFrom("installments")
    .select(["installment_id", "invoice_id", "not_collectible_reason", "collection_outstanding"])
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", anyOf(debts.invoiceIds, "uuid"))
    .where("installment_id", "=", anyOf(debts.installmentIds, "uuid"))
    .orderBy("installment_id");
  return (debts.lock ? query.forUpdate() : query).execute();
}

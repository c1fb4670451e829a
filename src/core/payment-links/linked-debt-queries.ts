import { anyOf } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";
import type { InvoiceRow } from "../../store/tables/invoices.ts";

/** What a link needs to know of its invoice. */
export type LinkedInvoice = Pick<InvoiceRow, "invoice_id" | "invoice_number" | "currency">;

/** The same of its installment. */
export type LinkedInstallment = Awaited<ReturnType<typeof linkedInstallments>>[number];

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

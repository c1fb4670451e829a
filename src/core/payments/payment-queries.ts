import type { Insertable, Updateable } from "kysely";
import { stampPayments } from "../../store/aging/rollup.ts";
import type { Transaction } from "../../store/store.ts";
import type { PaymentRow } from "../../store/tables/payments.ts";
import { sameTenant } from "../kernel/same-tenant.ts";

/** An invoice, locked, with how its connection pushes receipts. */
export function lockPaidInvoice(tx: Transaction, tenantId: string, invoiceId: string) {
  return tx
    .selectFrom("invoices")
    .leftJoin("erp_connections", sameTenant("erp_connections", "invoices", "connection_id"))
    .select([
      "invoices.invoice_id",
      "invoices.currency",
      "invoices.origin",
      "invoices.last_synced_at",
      "invoices.total_amount",
      "invoices.amount_collected",
      "invoices.collection_outstanding",
      "invoices.connection_id",
      "erp_connections.payment_push_mode",
    ])
    .where((column) => column.and({ "invoices.tenant_id": tenantId, "invoices.invoice_id": invoiceId }))
    .forUpdate("invoices")
    .executeTakeFirst();
}

/** An installment of the invoice's, a removed one included. */
export function installmentOf(tx: Transaction, tenantId: string, invoiceId: string, installmentId: string) {
  return tx
    .selectFrom("installments")
    .select("erp_outstanding")
    .where((column) => column.and({ tenant_id: tenantId, invoice_id: invoiceId, installment_id: installmentId }))
    .executeTakeFirst();
}

/** Changes a payment that is locked after its invoice. */
export async function updatePayment(
  tx: Transaction,
  { tenant_id, payment_id }: Pick<PaymentRow, "tenant_id" | "payment_id">,
  set: Updateable<PaymentRow>,
): Promise<void> {
  await tx
    .updateTable("payments")
    .set(set)
    .where((column) => column.and({ tenant_id, payment_id }))
    .execute();
}

export async function insertPayment(tx: Transaction, row: Insertable<PaymentRow>): Promise<void> {
  stampPayments(tx, [row.payment_id], row.confirmed_at);
  await tx.insertInto("payments").values(row).execute();
}

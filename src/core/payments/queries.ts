import type { Insertable } from "kysely";
import { stampPayments } from "../../store/aging-rollup.ts";
import type { Transaction } from "../../store/store.ts";
import type { ErpConnectionRow, InvoiceRow, PaymentRow, TenantRow } from "../../store/tables.ts";

/** What a payment needs to know of its invoice, which is locked. */
export type PaidInvoice = Pick<InvoiceRow, "invoice_id" | "currency" | "origin"> & {
  payment_push_mode: ErpConnectionRow["payment_push_mode"] | null;
};

/** An invoice, locked, with how its connection pushes receipts. */
export function lockPaidInvoice(
  tx: Transaction,
  tenantId: string,
  invoiceId: string,
): Promise<PaidInvoice | undefined> {
  return tx
    .selectFrom("invoices")
    .leftJoin("erp_connections", (join) =>
      join
        .onRef("erp_connections.tenant_id", "=", "invoices.tenant_id")
        .onRef("erp_connections.connection_id", "=", "invoices.connection_id"),
    )
    .select(["invoices.invoice_id", "invoices.currency", "invoices.origin", "erp_connections.payment_push_mode"])
    .where("invoices.tenant_id", "=", tenantId)
    .where("invoices.invoice_id", "=", invoiceId)
    .forUpdate("invoices")
    .executeTakeFirst();
}

/** Whether an installment is one of the invoice's, a removed one included. */
export async function isInstallmentOf(
  tx: Transaction,
  tenantId: string,
  invoiceId: string,
  installmentId: string,
): Promise<boolean> {
  const row = await tx
    .selectFrom("installments")
    .select("installment_id")
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", invoiceId)
    .where("installment_id", "=", installmentId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a provider's payment is recorded. */
export async function isRecorded(
  tx: Transaction,
  tenantId: string,
  { paymentIntegrationId, providerPaymentId }: { paymentIntegrationId: string; providerPaymentId: string },
): Promise<boolean> {
  const row = await tx
    .selectFrom("payments")
    .select("payment_id")
    .where("tenant_id", "=", tenantId)
    .where("payment_integration_id", "=", paymentIntegrationId)
    .where("provider_payment_id", "=", providerPaymentId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the refusal of a payment is in the audit trail already. */
export async function isRefused(
  tx: Transaction,
  tenantId: string,
  { operation, objectId, requestId }: { operation: string; objectId: string; requestId: string },
): Promise<boolean> {
  const row = await tx
    .selectFrom("audit_entries")
    .select("entry_id")
    .where("tenant_id", "=", tenantId)
    .where("operation", "=", operation)
    .where("object_id", "=", objectId)
    .where("request_id", "=", requestId)
    .where("outcome", "=", "refused")
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertPayment(tx: Transaction, row: Insertable<PaymentRow>): Promise<void> {
  stampPayments(tx, [row.payment_id], row.confirmed_at);
  await tx.insertInto("payments").values(row).execute();
}

/** The workspace's name, for its customers. */
export function tenantOf(tx: Transaction, tenantId: string): Promise<Pick<TenantRow, "name"> | undefined> {
  return tx.selectFrom("tenants").select("name").where("tenant_id", "=", tenantId).executeTakeFirst();
}

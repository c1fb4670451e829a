import type { Insertable, Updateable } from "kysely";
import { stampPayments } from "../../store/aging/rollup.ts";
import type { Transaction } from "../../store/store.ts";
import type { PaymentLinkRow } from "../../store/tables/payment-links.ts";
import type { PaymentRow } from "../../store/tables/payments.ts";
import { sameTenant } from "../shared/same-tenant.ts";

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
      "invoices.connection_id",
      "erp_connections.payment_push_mode",
    ])
    .where("invoices.tenant_id", "=", tenantId)
    .where("invoices.invoice_id", "=", invoiceId)
    .forUpdate("invoices")
    .executeTakeFirst();
}

/** An installment of the invoice's, a removed one included. */
export function installmentOf(tx: Transaction, tenantId: string, invoiceId: string, installmentId: string) {
  return tx
    .selectFrom("installments")
    .select("erp_outstanding")
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", invoiceId)
    .where("installment_id", "=", installmentId)
    .executeTakeFirst();
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

/**
 * The workspace's payments of a provider's id, locked; more than one only where several integrations have such an id. Their
 * invoices are locked first, as by everybody who changes a payment: what is written about one refers to its invoice.
 */
export async function lockPaymentsOf(tx: Transaction, tenantId: string, providerPaymentId: string) {
  const reported = tx
    .selectFrom("payments")
    .where("tenant_id", "=", tenantId)
    .where("payment_integration_id", "in", (eb) =>
      eb.selectFrom("payment_integrations").select("payment_integration_id").where("tenant_id", "=", tenantId),
    )
    .where("provider_payment_id", "=", providerPaymentId);
  await tx
    .selectFrom("invoices")
    .select("invoice_id")
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "in", reported.select("invoice_id"))
    .orderBy("invoice_id")
    .forUpdate()
    .execute();
  return reported
    .select([
      "payment_id",
      "payment_link_id",
      "payment_integration_id",
      "invoice_id",
      "refunded_minor",
      "disputed",
      "disputed_as_of",
    ])
    .orderBy("payment_id")
    .forUpdate()
    .execute();
}

/** A payment that a provider reports a refund or a dispute of. */
export type ReportedPayment = Awaited<ReturnType<typeof lockPaymentsOf>>[number];

/** Changes a payment that is locked after its invoice. */
export async function updatePayment(
  tx: Transaction,
  { tenantId, paymentId }: { tenantId: string; paymentId: string },
  set: Updateable<PaymentRow>,
): Promise<void> {
  await tx
    .updateTable("payments")
    .set(set)
    .where("tenant_id", "=", tenantId)
    .where("payment_id", "=", paymentId)
    .execute();
}

/** Whether the refusal of an event is in the audit trail already. */
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

/** What is owed on the installments that a payment by a link settles: its own, or those the ERP put in its place. */
export async function owedOnSettled(
  tx: Transaction,
  { tenant_id, invoice_id, installment_id }: Pick<PaymentLinkRow, "tenant_id" | "invoice_id" | "installment_id">,
): Promise<string[]> {
  const live = await tx
    .selectFrom("installments")
    .select(["installment_id", "collection_outstanding", "not_collectible_reason"])
    .where("tenant_id", "=", tenant_id)
    .where("invoice_id", "=", invoice_id)
    .where("removed_at", "is", null)
    .execute();
  const own = live.filter((row) => row.installment_id === installment_id);
  // Nothing is owed on an invoice that the ERP no longer has.
  const settled = (own.length > 0 ? own : live).filter((row) => row.not_collectible_reason !== "retired");
  return settled.map((row) => row.collection_outstanding);
}

/** The workspace's name, for its customers. */
export function tenantOf(tx: Transaction, tenantId: string) {
  return tx.selectFrom("tenants").select("name").where("tenant_id", "=", tenantId).executeTakeFirst();
}

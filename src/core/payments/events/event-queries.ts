import type { PaymentRefunded } from "../../../gateways/payments/gateway.ts";
import type { Transaction } from "../../../store/store.ts";
import type { PaymentRow } from "../../../store/tables/payments.ts";
import { money, ZERO } from "../../kernel/money.ts";

/** What an event is about: a payment, or a link whose money is not known as one, or counts in no figure. */
export type Reported = Pick<PaymentRow, "tenant_id" | "invoice_id" | "payment_link_id" | "payment_integration_id"> & {
  readonly payment_id?: string | null;
};

/** Whether a provider's payment is recorded. */
export async function isRecorded(
  tx: Transaction,
  { tenant_id, payment_integration_id }: Pick<Reported, "tenant_id" | "payment_integration_id">,
  providerPaymentId: string,
) {
  const row = await tx
    .selectFrom("payments")
    .select("payment_id")
    .where((column) => column.and({ tenant_id, payment_integration_id, provider_payment_id: providerPaymentId }))
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
    .select(["tenant_id", "payment_id", "payment_link_id", "payment_integration_id", "invoice_id"])
    .select(["disputed", "disputed_as_of"])
    .orderBy("payment_id")
    .forUpdate()
    .execute();
}

/**
 * What of a payment's refunds failed after it was told that so much was refunded, in minor units. In that very second only what the
 * telling can include: it is less than a refund that had failed before.
 */
export async function failedRefunds(
  tx: Transaction,
  { tenant_id, payment_id = null, payment_link_id }: Reported,
  { refundedMinor, occurredAt }: PaymentRefunded,
) {
  const row = await tx
    .selectFrom("attention_items")
    .select(({ fn }) => fn.sum<string | null>("amount_minor").as("failed"))
    .where((column) => column.and({ tenant_id, kind: "refund_failed", payment_id }))
    .$if(payment_id === null, (query) => query.where("payment_link_id", "=", payment_link_id))
    .where("occurred_at", ">=", occurredAt)
    .where((eb) => eb.or([eb("occurred_at", ">", occurredAt), eb("amount_minor", "<=", refundedMinor.toString())]))
    .executeTakeFirst();
  return BigInt(row?.failed ?? 0);
}

/** Puts on a payment what of its refunds failed before it was known: through its link, and on no other payment. */
export async function putFailedRefunds(tx: Transaction, { tenant_id, payment_id, payment_link_id }: Reported) {
  const of = { tenant_id, kind: "refund_failed", payment_id: null, payment_link_id } as const;
  await tx
    .updateTable("attention_items")
    .set({ payment_id })
    .where((column) => column.and(of))
    .execute();
}

/** The link through which a payment in another currency came, which counts in no figure; null where it is unknown. */
export async function linkOfOtherCurrency(tx: Transaction, tenantId: string, subject: string) {
  const row = await tx
    .selectFrom("attention_items")
    .select("payment_link_id")
    .where((column) => column.and({ tenant_id: tenantId, kind: "payment_in_other_currency", subject }))
    .executeTakeFirst();
  return row?.payment_link_id ?? null;
}

/** Whether the refusal of an event is in the audit trail already. */
export async function isRefused(
  tx: Transaction,
  refusal: { tenant_id: string; operation: string; object_id: string; request_id: string },
) {
  const row = await tx
    .selectFrom("audit_entries")
    .select("entry_id")
    .where((column) => column.and({ ...refusal, outcome: "refused" }))
    .executeTakeFirst();
  return row !== undefined;
}

/** What is owed on an invoice, whole: nothing where the ERP no longer has it. */
export async function owedOn(tx: Transaction, { tenant_id, invoice_id }: Reported) {
  const row = await tx
    .selectFrom("invoices")
    .select("collection_outstanding")
    .where((column) => column.and({ tenant_id, invoice_id, retired_at: null }))
    .executeTakeFirst();
  return row === undefined ? ZERO : money(row.collection_outstanding);
}

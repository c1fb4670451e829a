import type { PaymentRefunded } from "../../../gateways/payments/events.ts";
import type { Transaction } from "../../../store/store.ts";
import type { AttentionItemRow } from "../../../store/tables/payments.ts";
import { lockItem, raiseAttention, updateItem } from "../../attention/attention-queries.ts";
import type { ProviderActor } from "../../gate/actor.ts";
import { innerOperation } from "../../gate/inner-operation.ts";
import type { RunContext } from "../../gate/run-context.ts";
import { readableMinor } from "../../mail/readable.ts";
import { updatePayment } from "../payment-queries.ts";
import type { ReportedPayment } from "./event-queries.ts";
import { isVouchedFor, lockLinkOf, lockReportedPayment, providerActor, type ReportedEvent } from "./vouching.ts";

const KIND = "payment_refunded";

/**
 * Records what was refunded of a payment so far: on the payment, in the audit trail and for people (completions §12). A late
 * report says less and changes nothing. A refund that is reported before its payment waits among what needs a person, and is
 * put on the payment once that is known. One about an unknown payment or link is ignored.
 */
export async function takeRefund(
  context: RunContext<ProviderActor>,
  reported: ReportedEvent<PaymentRefunded>,
): Promise<void> {
  const { tx, actor } = context;
  const { tenantId } = actor;
  const { event } = reported;
  // The link's invoice is locked before the payment is read: a transaction that records that payment holds it until it is there.
  const found = await lockLinkOf(tx, tenantId, { providerLinkId: null, linkId: event.linkId });
  const payment = await lockReportedPayment(context, reported, "recordRefund");
  if (payment === "refused") return;
  if (payment !== undefined) {
    const author = providerActor(tenantId, payment.payment_integration_id ?? "");
    return recordRefund.within(context, author, { event, payment });
  }
  if (found === undefined) return;
  const { payment_link_id: linkId, payment_integration_id: integrationId, invoice_id: invoiceId } = found.link;
  if (!(await isVouchedFor(context, reported, "recordRefund", { type: "payment_link", id: linkId, integrationId })))
    return;
  await keepRefund.within(context, providerActor(tenantId, integrationId), { event, linkId, invoiceId });
}

const recordRefund = innerOperation({
  id: "recordRefund",
  callers: ["provider"],
  async run(
    { tx, core, actor: { tenantId }, audit },
    { event, payment }: { event: PaymentRefunded; payment: ReportedPayment },
  ) {
    if (event.refundedMinor <= BigInt(payment.refunded_minor)) return audit(null);
    const { payment_id: paymentId, payment_link_id: paymentLinkId, invoice_id: invoiceId } = payment;
    await updatePayment(tx, { tenantId, paymentId }, { refunded_minor: event.refundedMinor.toString() });
    await raiseAttention(tx, core, { ...attentionTo(tenantId, event), paymentId, paymentLinkId, invoiceId });
    audit({ type: "payment", id: paymentId, details: detailsOf(event) });
  },
});

/** The same of a payment that is not known yet. */
const keepRefund = innerOperation({
  id: "recordRefund",
  callers: ["provider"],
  async run(
    { tx, core, actor: { tenantId }, audit },
    { event, linkId, invoiceId }: { event: PaymentRefunded; linkId: string; invoiceId: string },
  ) {
    const kept = await lockItem(tx, tenantId, { kind: KIND, subject: event.providerPaymentId });
    if (kept !== undefined && event.refundedMinor <= refundedOf(kept)) return audit(null);
    const about = { paymentId: null, paymentLinkId: linkId, invoiceId };
    await raiseAttention(tx, core, { ...attentionTo(tenantId, event), ...about });
    audit({ type: "payment_link", id: linkId, details: detailsOf(event) });
  },
});

/** Puts on a payment the refunds that were reported before it was known. */
export async function applyKeptRefund(
  tx: Transaction,
  { tenantId, paymentId, providerPaymentId }: { tenantId: string; paymentId: string; providerPaymentId: string },
): Promise<void> {
  const kept = await lockItem(tx, tenantId, { kind: KIND, subject: providerPaymentId });
  if (kept === undefined || kept.payment_id !== null) return;
  await updateItem(tx, kept, { payment_id: paymentId });
  await updatePayment(tx, { tenantId, paymentId }, { refunded_minor: refundedOf(kept).toString() });
}

/** All that was refunded so far, as the audit trail has it. */
const detailsOf = ({ refundedMinor, currency }: PaymentRefunded) => ({
  refunded: readableMinor(refundedMinor, currency),
});

const refundedOf = (item: AttentionItemRow): bigint => BigInt(item.amount_minor ?? "0");

function attentionTo(tenantId: string, event: PaymentRefunded) {
  const { providerPaymentId, refundedMinor: amountMinor, currency, occurredAt } = event;
  return { tenantId, kind: KIND, providerPaymentId, amountMinor, currency, occurredAt } as const;
}

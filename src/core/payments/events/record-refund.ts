import type { PaymentRefunded, RefundFailed } from "../../../gateways/payments/events.ts";
import type { Transaction } from "../../../store/store.ts";
import type { AttentionItemRow } from "../../../store/tables/payments.ts";
import { lockItem, raiseAttention, raiseOnce, updateItem } from "../../attention/attention-queries.ts";
import type { ProviderActor } from "../../gate/actor.ts";
import { nowOf } from "../../gate/dependencies.ts";
import { innerOperation } from "../../gate/inner-operation.ts";
import type { RunContext } from "../../gate/run-context.ts";
import { readableMinor } from "../../mail/readable.ts";
import { updatePayment } from "../payment-queries.ts";
import { failedRefunds, type ReportedPayment } from "./event-queries.ts";
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
    const { payment_id: paymentId, payment_link_id: paymentLinkId, invoice_id: invoiceId } = payment;
    const { providerPaymentId: subject, occurredAt } = event;
    const kept = await lockItem(tx, tenantId, { kind: KIND, subject });
    const refundedMinor = event.refundedMinor - (await failedRefunds(tx, tenantId, paymentId, event));
    const before = kept?.occurred_at ?? occurredAt;
    // Of two in one second the larger came last; a later one says less where a refund has failed.
    const isNews = occurredAt === before ? refundedMinor > BigInt(payment.refunded_minor) : occurredAt > before;
    // Below zero: of before a refund that has failed, which a later one counts.
    if (!isNews || refundedMinor < 0n) return audit(null);
    await updatePayment(tx, { tenantId, paymentId }, { refunded_minor: refundedMinor.toString() });
    const about = { paymentId, paymentLinkId, invoiceId };
    await raiseAttention(tx, core, { ...attentionTo(tenantId, { ...event, refundedMinor }), ...about });
    audit({ type: "payment", id: paymentId, details: detailsOf({ ...event, refundedMinor }) });
  },
});

/**
 * Takes a refund that failed back out of what was refunded, once however often it is told, for people and in the audit trail. One of
 * an unknown payment is ignored, as a dispute is. What was told of the payment's refunds since counts it no more.
 */
export async function takeFailedRefund(
  context: RunContext<ProviderActor>,
  reported: ReportedEvent<RefundFailed>,
): Promise<void> {
  const payment = await lockReportedPayment(context, reported, "recordRefund");
  if (payment === undefined || payment === "refused") return;
  const author = providerActor(context.actor.tenantId, payment.payment_integration_id ?? "");
  await recordFailedRefund.within(context, author, { event: reported.event, payment });
}

const recordFailedRefund = innerOperation({
  id: "recordFailedRefund",
  callers: ["provider"],
  async run(
    { tx, core, actor: { tenantId }, audit },
    { event, payment }: { event: RefundFailed; payment: ReportedPayment },
  ) {
    const { payment_id: paymentId, payment_link_id: paymentLinkId, invoice_id: invoiceId } = payment;
    const { refundId: subject, providerPaymentId, amountMinor, currency, occurredAt } = event;
    const about = { paymentId, paymentLinkId, invoiceId, amountMinor, currency, occurredAt };
    if (!(await raiseOnce(tx, core, { tenantId, kind: "refund_failed", subject, ...about }))) return audit(null);
    const kept = await lockItem(tx, tenantId, { kind: KIND, subject: providerPaymentId });
    let left = BigInt(payment.refunded_minor);
    // In one second: less was refunded in all, so that this one had failed before.
    const isCounted = kept?.occurred_at === occurredAt ? left >= amountMinor : (kept?.occurred_at ?? "~") < occurredAt;
    if (kept !== undefined && isCounted) {
      left = left > amountMinor ? left - amountMinor : 0n;
      await updatePayment(tx, { tenantId, paymentId }, { refunded_minor: left.toString() });
      const resolved_at = kept.resolved_at ?? (left === 0n ? nowOf(core) : null);
      await updateItem(tx, kept, { amount_minor: left.toString(), resolved_at });
    }
    const details = { failed: readableMinor(amountMinor, currency), refunded: readableMinor(left, currency) };
    audit({ type: "payment", id: paymentId, details });
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
  const { providerPaymentId: subject, refundedMinor: amountMinor, currency, occurredAt } = event;
  return { tenantId, kind: KIND, subject, amountMinor, currency, occurredAt } as const;
}

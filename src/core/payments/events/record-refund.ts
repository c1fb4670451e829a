import type { PaymentRefunded, RefundFailed } from "../../../gateways/payments/events.ts";
import type { Transaction } from "../../../store/store.ts";
import type { AttentionItemRow } from "../../../store/tables/payments.ts";
import { lockItem, raiseAttention, raiseOnce, updateItem } from "../../attention-items/attention-queries.ts";
import type { ProviderActor } from "../../gate/actor.ts";
import { type Core, nowOf } from "../../gate/dependencies.ts";
import { innerOperation } from "../../gate/inner-operation.ts";
import type { RunContext } from "../../gate/run-context.ts";
import { raisePayments } from "../../invoices/delivery/raise-payments.ts";
import { readableMinor } from "../../mail/readable.ts";
import { updatePayment } from "../payment-queries.ts";
import { failedRefunds, linkOfOtherCurrency } from "./event-queries.ts";
import { isVouchedFor, lockLinkOf, lockReportedPayment, providerActor, type ReportedEvent } from "./vouching.ts";

const KIND = "payment_refunded";

/** What a refund is of: a payment, or money through a link that is not known as one, or counts in no figure. */
interface Refunded {
  readonly paymentId: string | null;
  readonly paymentLinkId: string | null;
  readonly invoiceId: string;
}

/**
 * Records what was refunded of a payment so far: on the payment, in the audit trail and for people (completions §12). A late
 * report says less and changes nothing. A refund that is reported before its payment waits among what needs a person, and is
 * put on the payment once that is known. One about an unknown payment or link is ignored.
 */
export async function takeRefund(
  context: RunContext<ProviderActor>,
  reported: ReportedEvent<PaymentRefunded>,
): Promise<void> {
  const { event } = reported;
  const found = await lockRefunded(context, reported, event.linkId);
  if (found !== undefined) await recordRefund.within(context, found.author, { event, of: found.of });
}

/**
 * Takes a refund that failed back out of what was refunded, once however often it is told, for people and in the audit trail; also of
 * money in another currency. One of an unknown payment is ignored, as a dispute is. What was told since counts it no more.
 */
export async function takeFailedRefund(
  context: RunContext<ProviderActor>,
  reported: ReportedEvent<RefundFailed>,
): Promise<void> {
  const { event } = reported;
  const linkId = await linkOfOtherCurrency(context.tx, context.actor.tenantId, event.providerPaymentId);
  const found = await lockRefunded(context, reported, linkId);
  if (found !== undefined) await recordFailedRefund.within(context, found.author, { event, of: found.of });
}

/** What a refund is of, and the integration it is vouched for by; undefined without either. */
async function lockRefunded(
  context: RunContext<ProviderActor>,
  reported: ReportedEvent<PaymentRefunded | RefundFailed>,
  ofLink: string | null,
): Promise<{ author: ProviderActor; of: Refunded } | undefined> {
  const { tx, actor } = context;
  const { tenantId } = actor;
  // The link's invoice is locked before the payment is read: a transaction that records that payment holds it until it is there.
  const found = await lockLinkOf(tx, tenantId, { providerLinkId: null, linkId: ofLink });
  const payment = await lockReportedPayment(context, reported, "recordRefund");
  if (payment === "refused") return undefined;
  if (payment !== undefined) {
    const { payment_id: paymentId, payment_link_id: paymentLinkId, invoice_id: invoiceId } = payment;
    const author = providerActor(tenantId, payment.payment_integration_id ?? "");
    return { author, of: { paymentId, paymentLinkId, invoiceId } };
  }
  if (found === undefined) return undefined;
  const { payment_link_id: id, payment_integration_id: integrationId, invoice_id: invoiceId } = found.link;
  if (!(await isVouchedFor(context, reported, "recordRefund", { type: "payment_link", id, integrationId })))
    return undefined;
  return { author: providerActor(tenantId, integrationId), of: { paymentId: null, paymentLinkId: id, invoiceId } };
}

const recordRefund = innerOperation({
  id: "recordRefund",
  callers: ["provider"],
  async run({ tx, core, actor: { tenantId }, audit }, { event, of }: { event: PaymentRefunded; of: Refunded }) {
    const { providerPaymentId: subject, currency, occurredAt } = event;
    const kept = await lockItem(tx, tenantId, { kind: KIND, subject });
    const amountMinor = event.refundedMinor - (await failedRefunds(tx, tenantId, of, event));
    const before = kept?.occurred_at ?? occurredAt;
    // Of two in one second the larger came last; a later one says less where a refund has failed.
    const isNews = occurredAt === before ? amountMinor > refundedOf(kept) : occurredAt > before;
    // Below zero: of before a refund that has failed, which a later one counts.
    if (!isNews || amountMinor < 0n) return audit(null);
    await setRefunded({ tx, core, tenantId }, of, amountMinor);
    await raiseAttention(tx, core, { ...of, tenantId, kind: KIND, subject, amountMinor, currency, occurredAt });
    audit({ ...objectOf(of), details: { refunded: readableMinor(amountMinor, currency) } });
  },
});

const recordFailedRefund = innerOperation({
  id: "recordFailedRefund",
  callers: ["provider"],
  async run({ tx, core, actor: { tenantId }, audit }, { event, of }: { event: RefundFailed; of: Refunded }) {
    const { refundId: subject, providerPaymentId, amountMinor, currency, occurredAt } = event;
    const item = { ...of, tenantId, kind: "refund_failed", subject, amountMinor, currency, occurredAt } as const;
    if (!(await raiseOnce(tx, core, item))) return audit(null);
    const kept = await lockItem(tx, tenantId, { kind: KIND, subject: providerPaymentId });
    let left = refundedOf(kept);
    // In one second: less was refunded in all, so that this one had failed before.
    const isCounted = kept?.occurred_at === occurredAt ? left >= amountMinor : (kept?.occurred_at ?? "~") < occurredAt;
    if (kept !== undefined && isCounted) {
      left = left > amountMinor ? left - amountMinor : 0n;
      await setRefunded({ tx, core, tenantId }, of, left);
      const resolved_at = kept.resolved_at ?? (left === 0n ? nowOf(core) : null);
      await updateItem(tx, kept, { amount_minor: left.toString(), resolved_at });
    }
    const details = { failed: readableMinor(amountMinor, currency), refunded: readableMinor(left, currency) };
    audit({ ...objectOf(of), details });
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

async function setRefunded(
  { tx, core, tenantId }: { tx: Transaction; core: Pick<Core, "clock" | "newId">; tenantId: string },
  { paymentId, invoiceId }: Refunded,
  minor: bigint,
): Promise<void> {
  if (paymentId === null) return;
  await updatePayment(tx, { tenantId, paymentId }, { refunded_minor: minor.toString() });
  await raisePayments(tx, core, tenantId, invoiceId);
}

const objectOf = ({ paymentId, paymentLinkId }: Refunded) =>
  paymentId === null
    ? ({ type: "payment_link", id: paymentLinkId ?? "" } as const)
    : ({ type: "payment", id: paymentId } as const);

const refundedOf = (item: AttentionItemRow | undefined): bigint => BigInt(item?.amount_minor ?? "0");

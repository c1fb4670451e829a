import type { PaymentRefunded, RefundFailed } from "../../../gateways/payments/gateway.ts";
import type { Transaction } from "../../../store/store.ts";
import type { AttentionItemRow } from "../../../store/tables/payments.ts";
import {
  lessenItem,
  lockItem,
  raiseAttention,
  raiseOnce,
  updateItem,
} from "../../attention-items/attention-queries.ts";
import type { Stamping } from "../../gate/dependencies.ts";
import { workStep } from "../../gate/work-step.ts";
import { raisePayments } from "../../invoices/delivery/raise-payments.ts";
import { readableMinor } from "../../mail/readable.ts";
import { updatePayment } from "../payment-queries.ts";
import { failedRefunds, linkOfOtherCurrency, putFailedRefunds, type Reported } from "./event-queries.ts";
import { isVouchedFor, lockLinkOf, lockReportedPayment, objectOf, providerOf, type Taking } from "./vouching.ts";

const kind = "payment_refunded";

/**
 * Records what was refunded of a payment so far: on the payment, in the audit trail and for people (completions §12). A late
 * report says less and changes nothing. A refund that is reported before its payment waits among what needs a person, and is
 * put on the payment once that is known. One about an unknown payment or link is ignored.
 */
export async function takeRefund(taking: Taking, event: PaymentRefunded) {
  const of = await lockRefunded(taking, event, event.linkId);
  if (of !== undefined) await recordRefund.within(taking, providerOf(of), { event, of });
}

/**
 * Takes a refund that failed back out of what was refunded, once however often it is told, for people and in the audit trail; also of
 * money in another currency. One of an unknown payment is ignored, as a dispute is. What was told since counts it no more.
 */
export async function takeFailedRefund(taking: Taking, event: RefundFailed) {
  const linkId = await linkOfOtherCurrency(taking.tx, taking.actor.tenantId, event.providerPaymentId);
  const of = await lockRefunded(taking, event, linkId);
  if (of !== undefined) await recordFailedRefund.within(taking, providerOf(of), { event, of });
}

/** What a refund is of: a payment, else its link; undefined without either, or where it is not vouched for. */
async function lockRefunded(
  taking: Taking,
  event: PaymentRefunded | RefundFailed,
  linkId: string | null,
): Promise<Reported | undefined> {
  // The link's invoice is locked before the payment is read: a transaction that records that payment holds it until it is there.
  const found = await lockLinkOf(taking, { providerLinkId: null, linkId });
  const payment = await lockReportedPayment(taking, event, "recordRefund");
  if (payment !== undefined) return payment === "refused" ? undefined : payment;
  const isOfLink = found !== undefined && (await isVouchedFor(taking, event, "recordRefund", found.link));
  return isOfLink ? found.link : undefined;
}

const recordRefund = workStep({
  name: "recordRefund",
  callers: ["provider"],
  async run({ tx, core, audit }, { event, of }: { event: PaymentRefunded; of: Reported }) {
    const { providerPaymentId: subject, currency, occurredAt: occurred_at } = event;
    const kept = await lockItem(tx, of.tenant_id, { kind, subject });
    const amountMinor = event.refundedMinor - (await failedRefunds(tx, of, event));
    const before = kept?.occurred_at ?? occurred_at;
    // Of two in one second the larger came last; a later one says less where a refund has failed.
    const isNews = occurred_at === before ? amountMinor > refundedOf(kept) : occurred_at > before;
    // Below zero: of before a refund that has failed, which a later one counts.
    if (!isNews || amountMinor < 0n) return audit(null);
    await setRefunded(tx, core, of, amountMinor);
    await raiseAttention(tx, core, { ...of, kind, subject, amountMinor, currency, occurred_at });
    audit({ ...objectOf(of), details: { refunded: readableMinor(amountMinor, currency) } });
  },
});

const recordFailedRefund = workStep({
  name: "recordFailedRefund",
  callers: ["provider"],
  async run({ tx, core, audit }, { event, of }: { event: RefundFailed; of: Reported }) {
    const { refundId: subject, amountMinor, currency, occurredAt: occurred_at } = event;
    const item = { ...of, kind: "refund_failed", subject, amountMinor, currency, occurred_at } as const;
    if (!(await raiseOnce(tx, core, item))) return audit(null);
    const kept = await lockItem(tx, of.tenant_id, { kind, subject: event.providerPaymentId });
    let left = refundedOf(kept);
    // In one second: less was refunded in all, so that this one had failed before.
    const isCounted =
      kept?.occurred_at === occurred_at ? left >= amountMinor : (kept?.occurred_at ?? "~") < occurred_at;
    if (kept !== undefined && isCounted) {
      left = left > amountMinor ? left - amountMinor : 0n;
      await setRefunded(tx, core, of, left);
      await lessenItem(tx, core, kept, left);
    }
    const details = { failed: readableMinor(amountMinor, currency), refunded: readableMinor(left, currency) };
    audit({ ...objectOf(of), details });
  },
});

/** Puts on a payment the refunds that were reported before it was known, and those that failed by then. */
export async function applyKeptRefunds(
  tx: Transaction,
  payment: Reported & { readonly payment_id: string },
  providerPaymentId: string,
) {
  const { tenant_id, payment_id } = payment;
  const kept = await lockItem(tx, tenant_id, { kind, subject: providerPaymentId });
  if (kept?.payment_id === null) {
    await updateItem(tx, kept, { payment_id });
    await updatePayment(tx, payment, { refunded_minor: refundedOf(kept).toString() });
  }
  await putFailedRefunds(tx, payment);
}

async function setRefunded(
  tx: Transaction,
  core: Stamping,
  { tenant_id, payment_id, invoice_id }: Reported,
  minor: bigint,
) {
  if (payment_id == null) return;
  await updatePayment(tx, { tenant_id, payment_id }, { refunded_minor: minor.toString() });
  await raisePayments(tx, core, tenant_id, invoice_id);
}

const refundedOf = (item: AttentionItemRow | undefined) => BigInt(item?.amount_minor ?? "0");

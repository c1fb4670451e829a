import { z } from "zod";
import type { LinkChanged, PaymentConfirmed, PaymentFailed } from "../../../gateways/payments/events.ts";
import { lockChargeableCurrencies } from "../../collection/collection-queries.ts";
import { innerOperation } from "../../gate/inner-operation.ts";
import { type Core, operation, type ProviderActor, type RunContext } from "../../gate/operation.ts";
import { fromMinor, type Money } from "../../kernel/money.ts";
import { linkByProviderId, type StoredLink, updateLink } from "../../payment-links/link-queries.ts";
import { markPaid } from "../../payment-links/mark-paid.ts";
import { withdrawLink } from "../../payment-links/withdrawing/deactivate-link.ts";
import { LINKS_WITHDRAWN } from "../../payment-links/withdrawing/review-active-links.ts";
import { withdrawAtProvider } from "../../payment-links/withdrawing/withdraw-links.ts";
import { RECEIPTS_QUEUED } from "../receipts/claimed-push.ts";
import { isRecorded, owedOn, putFailedRefunds } from "./event-queries.ts";
import { countInFigures, keepOutOfFigures } from "./other-currency.ts";
import { noteOverpayment } from "./overpayment.ts";
import { takeDispute } from "./record-dispute.ts";
import { recordConfirmedPayment } from "./record-payment.ts";
import { applyKeptRefund, takeFailedRefund, takeRefund } from "./record-refund.ts";
import { isVouchedFor, lockLinkOf, objectionTo, providerActor, type ReportedEvent } from "./vouching.ts";

type Context = RunContext<ProviderActor>;

/** Takes in an event that some integrations of a workspace vouch for, in a request of its own: the event's. */
export async function recordProviderEvent(core: Core, tenantId: string, reported: ReportedEvent): Promise<void> {
  const { event, vouchers } = reported;
  if (event.type === "ignored") return;
  const request = { core, requestId: event.providerEventId };
  await takeProviderEvent.call(providerActor(tenantId, vouchers[0].integrationId), reported, request);
}

/**
 * Takes in what a provider says of a workspace's payments, for the links and payments of the integrations that vouch for it
 * and for no others (completions §12). The same again, late or out of order, changes nothing more: each payment counts
 * once. What is about no link of the workspace is ignored. A link that nobody can pay by any more is withdrawn.
 */
const takeProviderEvent = operation({
  id: "takeProviderEvent",
  summary: "Take in what a payment provider tells",
  callers: ["provider"],
  permission: "admin",
  scope: null,
  sideEffects: "Payments, refunds and disputes are recorded, and links that nobody can pay by any more withdrawn.",
  input: z.custom<ReportedEvent>(),
  output: z.null(),
  async run(context, reported) {
    // Each effect has an entry of its own, by the integration whose link it is.
    context.audit(null);
    await takeEvent(context, reported);
    return null;
  },
});

async function takeEvent(context: Context, { event, vouchers }: ReportedEvent): Promise<void> {
  switch (event.type) {
    case "payment_confirmed":
      return takeConfirmation(context, { event, vouchers });
    case "payment_refunded":
      return takeRefund(context, { event, vouchers });
    case "refund_failed":
      return takeFailedRefund(context, { event, vouchers });
    case "payment_disputed":
      return takeDispute(context, { event, vouchers });
    case "payment_failed":
      return takeFailure(context, { event, vouchers });
    case "link_changed":
      return withdrawAgain(context, { event, vouchers });
    case "ignored":
  }
}

/**
 * Records a payment with the amount that the provider says, even where the link asked for another or is withdrawn. An active link
 * is paid, or withdrawn where the money is in another currency than the invoice and counts in no figure; other links of the
 * installment that ask for more than is left are withdrawn.
 */
async function takeConfirmation(context: Context, reported: ReportedEvent<PaymentConfirmed>): Promise<void> {
  const { tx, core, actor, requestId, afterCommit } = context;
  const { tenantId } = actor;
  const { event } = reported;
  await lockChargeableCurrencies(tx, tenantId);
  const found = await lockLinkOf(tx, tenantId, event);
  const { providerPaymentId } = event;
  if (found === undefined) return core.log.info({ tenantId, providerPaymentId, requestId }, "payment.link.unknown");
  const { link, invoice } = found;
  const { payment_link_id: paymentLinkId, payment_integration_id: paymentIntegrationId } = link;
  // Under the link's integration, not the one that reported it: an account may be connected a second time.
  if (await isRecorded(tx, tenantId, { paymentIntegrationId, providerPaymentId })) return;
  const about = { type: "payment_link", id: paymentLinkId, integrationId: paymentIntegrationId } as const;
  if (!(await isVouchedFor(context, reported, "recordPayment", about))) return;
  const author = providerActor(tenantId, paymentIntegrationId);
  const { currency } = event;
  const amount = currency === invoice.currency ? fromMinor(event.amountMinor, currency) : undefined;
  if (amount === undefined) {
    if (await keepOutOfFigures.within(context, author, { link, event }))
      core.log.error({ tenantId, paymentLinkId, providerPaymentId, currency }, "payment.currency.refused");
    return endSpentLink(context, link);
  }
  const owed = await owedOn(tx, link);
  const paymentId = await recordPayment.within(context, author, { link, event, amount });
  // Of the whole invoice, as it stands now: money that came another way moves on to its next installment.
  const settled = owed.minus(await owedOn(tx, link));
  await noteOverpayment.within(context, author, { link, event, paymentId, over: amount.minus(settled) });
  for (const topic of [RECEIPTS_QUEUED, LINKS_WITHDRAWN])
    afterCommit(() => core.store.publish({ topic, payload: tenantId }));
}

/** Answers the payment's id. */
const recordPayment = innerOperation({
  id: "recordPayment",
  callers: ["provider"],
  async run(
    { tx, core, actor: { tenantId }, audit },
    { link, event, amount }: { link: StoredLink; event: PaymentConfirmed; amount: Money },
  ) {
    const { payment_link_id: paymentLinkId, payment_integration_id: paymentIntegrationId } = link;
    const { providerPaymentId, amountMinor, occurredAt: paidAt } = event;
    // Before the figures are derived: a link that is paid asks for nothing more.
    await markPaid(tx, link, paidAt);
    const paymentId = await recordConfirmedPayment(tx, core, {
      tenantId,
      invoiceId: link.invoice_id,
      installmentId: link.installment_id,
      amount,
      paidAt,
      through: { paymentIntegrationId, providerPaymentId, paymentLinkId, amountMinor },
    });
    await applyKeptRefund(tx, { tenantId, paymentId, providerPaymentId });
    await putFailedRefunds(tx, { tenantId, paymentId, paymentLinkId });
    await countInFigures(tx, core, link, { event, paymentId });
    audit({ type: "payment", id: paymentId });
    return paymentId;
  },
});

/** A link whose one completion failed in the end cannot be paid any more: what it asked for is available again. */
async function takeFailure(context: Context, reported: ReportedEvent<PaymentFailed>): Promise<void> {
  const { tx, core, actor, requestId } = context;
  const { tenantId } = actor;
  const { linkSpent, providerPaymentId } = reported.event;
  core.log.warn({ tenantId, requestId, providerPaymentId, linkSpent }, "payment.failed");
  if (!linkSpent) return;
  const found = await lockLinkOf(tx, tenantId, reported.event);
  if (found?.link.state !== "active") return;
  const { payment_link_id: linkId, payment_integration_id: integrationId } = found.link;
  const about = { type: "payment_link", id: linkId, integrationId } as const;
  if (await isVouchedFor(context, reported, "deactivatePaymentLink", about)) await endSpentLink(context, found.link);
}

/** Withdraws an active link whose one completion is used up without a payment that counts. */
async function endSpentLink({ afterCommit, ...context }: Context, link: StoredLink): Promise<void> {
  const { tenant_id: tenantId, payment_link_id: linkId, payment_integration_id, invoice_id: invoiceId, state } = link;
  if (state !== "active") return;
  await withdrawLink.within(context, providerActor(tenantId, payment_integration_id), { linkId, invoiceId });
  afterCommit(() => withdrawAtProvider(context.core, tenantId, [linkId]));
}

/** A withdrawn link that was switched on at the provider is withdrawn there again. Being switched off says nothing sure. */
async function withdrawAgain(context: Context, reported: ReportedEvent<LinkChanged>): Promise<void> {
  const { tx, core, actor, now, afterCommit } = context;
  const { tenantId } = actor;
  if (!reported.event.active) return;
  const link = await linkByProviderId(tx, tenantId, reported.event.providerLinkId);
  if (link === undefined || (link.state !== "deactivated" && link.state !== "withdrawn")) return;
  if (objectionTo(reported, link.payment_integration_id) !== null) return;
  const { payment_link_id: linkId } = link;
  await updateLink(tx, tenantId, linkId, { withdrawal_due: true, next_attempt_at: now });
  afterCommit(() => withdrawAtProvider(core, tenantId, [linkId]));
}

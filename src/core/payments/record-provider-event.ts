import type { LinkChanged, PaymentConfirmed, PaymentFailed } from "../../gateways/payments/events.ts";
import type { Transaction } from "../../store/store.ts";
import { recordAudit } from "../audit.ts";
import { type Core, nowOf } from "../core.ts";
import { lockChargeableCurrencies } from "../invoices/collection-queries.ts";
import { fromMinor, money, sum } from "../money.ts";
import { deactivateLink } from "../payment-links/deactivate-link.ts";
import { linkByProviderId, markActiveLinks, type StoredLink, updateLink } from "../payment-links/link-queries.ts";
import { LINKS_WITHDRAWN } from "../payment-links/withdraw-beyond-debt.ts";
import { withdrawAtProvider } from "../payment-links/withdraw-links.ts";
import { keepOutOfFigures, noteOverpayment } from "./payment-attention.ts";
import { RECEIPTS_QUEUED } from "./push-receipt.ts";
import { isRecorded, owedOnSettled } from "./queries.ts";
import { recordDispute } from "./record-dispute.ts";
import { recordConfirmedPayment } from "./record-payment.ts";
import { applyKeptRefund, recordRefund } from "./record-refund.ts";
import { lockLinkOf, objectionTo, providerActor, refuseEvent, type ToldEvent } from "./vouching.ts";

/**
 * Takes in what a provider says of a workspace's payments, for the links and payments of the integrations that vouch for it
 * and for no others (completions §12). The same again, late or out of order, changes nothing more: each payment counts
 * once. What is about no link of the workspace is ignored. A link that nobody can pay by any more is withdrawn.
 */
export async function recordProviderEvent(core: Core, told: ToldEvent): Promise<void> {
  const { event, ...from } = told;
  switch (event.type) {
    case "payment_confirmed":
      return recordConfirmation(core, { event, ...from });
    case "payment_refunded":
      return recordRefund(core, { event, ...from });
    case "payment_disputed":
      return recordDispute(core, { event, ...from });
    case "payment_failed":
      return recordFailure(core, { event, ...from });
    case "link_changed":
      return withdrawAgain(core, { event, ...from });
    case "ignored":
      return;
  }
}

/**
 * Records a payment as the provider says it: its amount, whatever the link asked for, on whatever has become of the link.
 * An active link is paid; other links of the installment that ask for more than is left are withdrawn.
 */
async function recordConfirmation(core: Core, told: ToldEvent<PaymentConfirmed>): Promise<void> {
  const { tenantId, event } = told;
  await core.store.write(tenantId, async (tx) => {
    await lockChargeableCurrencies(tx, tenantId);
    const found = await lockLinkOf(tx, tenantId, event);
    const { providerPaymentId, providerEventId: requestId, occurredAt } = event;
    if (found === undefined) {
      core.log.info({ tenantId, providerPaymentId, requestId }, "payment.link.unknown");
      return;
    }
    const { link, invoice } = found;
    const { payment_link_id: paymentLinkId, payment_integration_id: paymentIntegrationId } = link;
    // Under the link's integration, not the one it was told through: an account may be connected a second time.
    const payment = { paymentIntegrationId, providerPaymentId };
    if (await isRecorded(tx, tenantId, payment)) return;
    const objection = objectionTo(told, paymentIntegrationId);
    if (objection !== null) {
      const act = { operation: "recordPayment", objectType: "payment_link", objectId: paymentLinkId } as const;
      await refuseEvent(tx, core, told, { ...act, objection });
      return;
    }
    const amount = event.currency === invoice.currency ? fromMinor(event.amountMinor, event.currency) : undefined;
    if (amount === undefined) {
      await keepOutOfFigures(tx, core, link, event);
      return;
    }
    const owed = sum((await owedOnSettled(tx, link)).map(money));
    // Before the figures are derived: a link that is paid asks for nothing more.
    await markPaid(tx, link, occurredAt);
    const paymentId = await recordConfirmedPayment(tx, core, {
      tenantId,
      invoiceId: link.invoice_id,
      installmentId: link.installment_id,
      amount,
      paidAt: occurredAt,
      through: { ...payment, paymentLinkId, amountMinor: event.amountMinor },
    });
    const actor = providerActor(tenantId, paymentIntegrationId);
    const act = { operation: "recordPayment", objectType: "payment", objectId: paymentId } as const;
    await recordAudit(tx, core, { actor, ...act, requestId, outcome: "succeeded" });
    await applyKeptRefund(tx, { tenantId, paymentId, providerPaymentId });
    await noteOverpayment(tx, core, { link, event, paymentId, over: amount.minus(owed) });
  });
  const notices = [RECEIPTS_QUEUED, LINKS_WITHDRAWN].map((topic) => core.store.publish({ topic, payload: tenantId }));
  await Promise.all(notices).catch((error: unknown) =>
    core.log.warn({ err: error, tenantId }, "what a payment leads to waits for the next look"),
  );
}

/** `deactivated` is final; one that is still being made becomes `paid` once it is. */
async function markPaid(tx: Transaction, link: StoredLink, paidAt: string): Promise<void> {
  if (link.paid_at !== null || (link.state !== "active" && link.state !== "reserved")) return;
  await updateLink(tx, link.tenant_id, link.payment_link_id, {
    paid_at: paidAt,
    ...(link.state === "active" ? { state: "paid" as const } : {}),
    ...(link.email_status === "scheduled" ? { email_status: "cancelled" as const } : {}),
  });
  await markActiveLinks(tx, link.tenant_id, [link.invoice_id]);
}

/** A link whose one completion failed in the end cannot be paid any more: what it asked for is available again. */
async function recordFailure(core: Core, told: ToldEvent<PaymentFailed>): Promise<void> {
  const { tenantId, event } = told;
  const { linkSpent, providerPaymentId, providerEventId: requestId } = event;
  core.log.warn({ tenantId, requestId, providerPaymentId, linkSpent }, "payment.failed");
  if (!linkSpent) return;
  const withdrawn = await core.store.write(tenantId, async (tx) => {
    const found = await lockLinkOf(tx, tenantId, event);
    if (found?.link.state !== "active") return [];
    const { payment_link_id: linkId, payment_integration_id: integrationId, invoice_id: invoiceId } = found.link;
    const act = { operation: "deactivatePaymentLink", objectType: "payment_link", objectId: linkId } as const;
    const objection = objectionTo(told, integrationId);
    if (objection !== null) {
      await refuseEvent(tx, core, told, { ...act, objection });
      return [];
    }
    await deactivateLink(tx, core, { tenantId, linkId, invoiceId });
    const actor = providerActor(tenantId, integrationId);
    await recordAudit(tx, core, { actor, ...act, requestId, outcome: "succeeded" });
    return [linkId];
  });
  await withdrawAtProvider(core, tenantId, withdrawn);
}

/** A withdrawn link that was switched on at the provider is withdrawn there again. Being switched off says nothing sure. */
async function withdrawAgain(core: Core, told: ToldEvent<LinkChanged>): Promise<void> {
  const { tenantId, event } = told;
  if (!event.active) return;
  const due = await core.store.write(tenantId, async (tx) => {
    const link = await linkByProviderId(tx, tenantId, event.providerLinkId);
    if (link === undefined || (link.state !== "deactivated" && link.state !== "withdrawn")) return [];
    if (objectionTo(told, link.payment_integration_id) !== null) return [];
    await updateLink(tx, tenantId, link.payment_link_id, { withdrawal_due: true, next_attempt_at: nowOf(core) });
    return [link.payment_link_id];
  });
  await withdrawAtProvider(core, tenantId, due);
}

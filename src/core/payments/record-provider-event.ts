import type { LinkChanged, PaymentConfirmed, PaymentEvent, PaymentFailed } from "../../gateways/payments/events.ts";
import type { Transaction } from "../../store/store.ts";
import { recordAudit } from "../audit.ts";
import { type Core, nowOf } from "../core.ts";
import { lockChargeableCurrencies } from "../invoices/collection-queries.ts";
import { fromMinor, money, toMinor } from "../money.ts";
import { deactivateLink } from "../payment-links/deactivate-link.ts";
import {
  activeLinksOf,
  type LinkedInvoice,
  linkById,
  linkByProviderId,
  lockLinkedInvoices,
  lockSettledBy,
  markActiveLinks,
  type StoredLink,
  updateLink,
} from "../payment-links/link-queries.ts";
import { withdrawAtProvider } from "../payment-links/withdraw-links.ts";
import { RECEIPTS_QUEUED } from "./push-receipt.ts";
import { isRecorded, isRefused } from "./queries.ts";
import { recordConfirmedPayment } from "./record-payment.ts";

/**
 * Takes in what a provider's notification, proved to be the provider's, says of a workspace's payments. The same one
 * again, late or out of order, changes nothing more: each payment counts once. What no link of the workspace is meant by
 * is let be. Refunds and disputes are for people, so they are logged alone, as failures are; a link that nobody can pay
 * by after one is withdrawn.
 */
export async function recordProviderEvent(core: Core, tenantId: string, event: PaymentEvent): Promise<void> {
  switch (event.type) {
    case "payment_confirmed":
      return recordConfirmation(core, tenantId, event);
    case "link_changed":
      return withdrawAgain(core, tenantId, event);
    case "ignored":
      return;
    default: {
      const { type, providerEventId, providerPaymentId } = event;
      core.log.warn({ tenantId, type, providerEventId, providerPaymentId }, "a payment needs a person's attention");
      if (event.type === "payment_failed" && event.linkSpent) await withdrawSpent(core, tenantId, event);
    }
  }
}

/**
 * Records a payment as the provider says it: its amount, whatever the link asked for, on whatever has become of the link.
 * An active link is paid; other links of the installment that ask for more than is left are withdrawn.
 */
async function recordConfirmation(core: Core, tenantId: string, event: PaymentConfirmed): Promise<void> {
  const withdrawn = await core.store.write(tenantId, async (tx) => {
    await lockChargeableCurrencies(tx, tenantId);
    const found = await lockLinkOf(tx, tenantId, event);
    if (found === undefined) {
      const { providerPaymentId, providerEventId } = event;
      core.log.warn({ tenantId, providerPaymentId, providerEventId }, "a payment of no link of the workspace");
      return [];
    }
    const { link, invoice } = found;
    const { providerPaymentId } = event;
    // Under the link's integration, not the one it was told through: an account may be connected a second time.
    const payment = { paymentIntegrationId: link.payment_integration_id, providerPaymentId };
    if (await isRecorded(tx, tenantId, payment)) return [];
    const amount = event.currency === invoice.currency ? fromMinor(event.amountMinor, event.currency) : undefined;
    if (amount === undefined) {
      await refuse(tx, core, link, event);
      return [];
    }
    await recordConfirmedPayment(tx, core, {
      tenantId,
      invoiceId: link.invoice_id,
      installmentId: link.installment_id,
      amount,
      through: { ...payment, paymentLinkId: link.payment_link_id, amountMinor: event.amountMinor },
    });
    await markPaid(tx, core, link);
    return withdrawUncovered(tx, core, link);
  });
  await core.store
    .publish({ topic: RECEIPTS_QUEUED, payload: tenantId })
    .catch((error: unknown) => core.log.warn({ err: error, tenantId }, "a receipt waits for the next look"));
  await withdrawAtProvider(core, tenantId, withdrawn).catch((error: unknown) =>
    core.log.warn({ err: error, tenantId }, "links are not withdrawn at their provider yet"),
  );
}

/** The link an event is about, by the provider's id of it before ours; locked after its invoice. */
async function lockLinkOf(
  tx: Transaction,
  tenantId: string,
  { providerLinkId, linkId }: Pick<PaymentConfirmed, "providerLinkId" | "linkId">,
): Promise<{ link: StoredLink; invoice: LinkedInvoice } | undefined> {
  const byProvider = providerLinkId === null ? undefined : await linkByProviderId(tx, tenantId, providerLinkId);
  const known = byProvider ?? (linkId === null ? undefined : await linkById(tx, tenantId, linkId));
  if (known === undefined) return undefined;
  const [invoice] = await lockLinkedInvoices(tx, tenantId, [known.invoice_id]);
  const link = await linkById(tx, tenantId, known.payment_link_id, { lock: true });
  return link === undefined || invoice === undefined ? undefined : { link, invoice };
}

/**
 * Money in another currency than the invoice's cannot be set against it, and no link of the service asks for it: somebody
 * changed the link at the provider. It is kept out of every figure, for a person to look at, who is told of it once
 * though several events tell of it: the entry's request is the payment.
 */
async function refuse(tx: Transaction, core: Core, link: StoredLink, event: PaymentConfirmed): Promise<void> {
  const { payment_link_id: objectId, tenant_id: tenantId } = link;
  const { providerPaymentId, currency } = event;
  const refused = { operation: "recordPayment", objectType: "payment_link", objectId, requestId: providerPaymentId };
  if (await isRefused(tx, tenantId, refused)) return;
  core.log.error(
    { tenantId, objectId, providerPaymentId, currency },
    "a payment in another currency than its invoice's",
  );
  await recordAudit(tx, core, {
    actor: { kind: "operator", tenantId },
    ...refused,
    outcome: "refused",
  });
}

/** `deactivated` is final; one that is still being made becomes `paid` once it is. */
async function markPaid(tx: Transaction, core: Core, link: StoredLink): Promise<void> {
  if (link.paid_at !== null || (link.state !== "active" && link.state !== "reserved")) return;
  await updateLink(tx, link.tenant_id, link.payment_link_id, {
    paid_at: nowOf(core),
    ...(link.state === "active" ? { state: "paid" as const } : {}),
    ...(link.email_status === "scheduled" ? { email_status: "cancelled" as const } : {}),
  });
  await markActiveLinks(tx, link.tenant_id, [link.invoice_id]);
}

/** Withdraws the links that no longer fit into what a payment has left, the oldest fitting first. */
async function withdrawUncovered(tx: Transaction, core: Core, paid: StoredLink): Promise<string[]> {
  const { tenant_id: tenantId, invoice_id: invoiceId, currency } = paid;
  const withdrawn: string[] = [];
  for (const { installment_id: installmentId, collection_outstanding } of await lockSettledBy(tx, paid)) {
    let left = toMinor(money(collection_outstanding), currency) ?? 0n;
    for (const { payment_link_id: linkId, amount_minor: asked } of await activeLinksOf(tx, tenantId, installmentId)) {
      if (BigInt(asked) <= left) {
        left -= BigInt(asked);
        continue;
      }
      await deactivateLink(tx, core, { tenantId, linkId, invoiceId });
      withdrawn.push(linkId);
    }
  }
  return withdrawn;
}

/** A link whose one completion failed in the end cannot be paid any more: what it asked for is available again. */
async function withdrawSpent(core: Core, tenantId: string, event: PaymentFailed): Promise<void> {
  const withdrawn = await core.store.write(tenantId, async (tx) => {
    const found = await lockLinkOf(tx, tenantId, event);
    if (found?.link.state !== "active") return [];
    const { payment_link_id: linkId, invoice_id: invoiceId } = found.link;
    await deactivateLink(tx, core, { tenantId, linkId, invoiceId });
    await recordAudit(tx, core, {
      actor: { kind: "operator", tenantId },
      operation: "deactivatePaymentLink",
      objectType: "payment_link",
      objectId: linkId,
      requestId: event.providerEventId,
      outcome: "succeeded",
    });
    return [linkId];
  });
  await withdrawAtProvider(core, tenantId, withdrawn);
}

/** A withdrawn link that was switched on at the provider is withdrawn there again. Being switched off says nothing sure. */
async function withdrawAgain(core: Core, tenantId: string, event: LinkChanged): Promise<void> {
  if (!event.active) return;
  const due = await core.store.write(tenantId, async (tx) => {
    const link = await linkByProviderId(tx, tenantId, event.providerLinkId);
    if (link === undefined || (link.state !== "deactivated" && link.state !== "withdrawn")) return [];
    await updateLink(tx, tenantId, link.payment_link_id, { withdrawal_due: true, reserved_until: nowOf(core) });
    return [link.payment_link_id];
  });
  await withdrawAtProvider(core, tenantId, due);
}

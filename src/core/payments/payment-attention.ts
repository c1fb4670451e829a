import type { PaymentConfirmed } from "../../gateways/payments/events.ts";
import type { Transaction } from "../../store/store.ts";
import { lockItem } from "../attention/attention-queries.ts";
import { raiseAttention } from "../attention/raise-attention.ts";
import { recordAudit } from "../audit.ts";
import type { Core } from "../core.ts";
import { readableMoney } from "../mail/readable.ts";
import { type Money, toMinor } from "../money.ts";
import type { StoredLink } from "../payment-links/link-queries.ts";
import { providerActor } from "./vouching.ts";

/**
 * Money in another currency than the invoice's cannot be set against it, and no link of the service asks for it: somebody
 * changed the link at the provider. It is kept out of every figure, for a person to look at, who is told of it once
 * though several events tell of it.
 */
export async function keepOutOfFigures(
  tx: Transaction,
  core: Core,
  link: StoredLink,
  event: PaymentConfirmed,
): Promise<void> {
  const isNew = await raiseOnce(tx, core, link, event, { kind: "payment_in_other_currency", paymentId: null });
  if (!isNew) return;
  const { tenant_id: tenantId, payment_link_id: objectId, payment_integration_id: integrationId } = link;
  const { providerPaymentId, currency } = event;
  core.log.error({ tenantId, paymentLinkId: objectId, providerPaymentId, currency }, "payment.currency.refused");
  await recordAudit(tx, core, {
    actor: providerActor(tenantId, integrationId),
    ...{ operation: "recordPaymentInOtherCurrency", objectType: "payment_link", objectId },
    ...{ requestId: event.providerEventId, outcome: "refused" },
  });
}

/** Says of a payment how far it is above what was owed as it came, if it is. */
export async function noteOverpayment(
  tx: Transaction,
  core: Core,
  { link, event, paymentId, over }: { link: StoredLink; event: PaymentConfirmed; paymentId: string; over: Money },
): Promise<void> {
  const amountMinor = toMinor(over, event.currency) ?? 0n;
  if (amountMinor <= 0n) return;
  await raiseOnce(tx, core, link, { ...event, amountMinor }, { kind: "payment_over_owed", paymentId });
  await recordAudit(tx, core, {
    actor: providerActor(link.tenant_id, link.payment_integration_id),
    ...{ operation: "recordOverpayment", objectType: "payment", objectId: paymentId },
    ...{ requestId: event.providerEventId, outcome: "succeeded" },
    details: { excess: readableMoney(over, event.currency) },
  });
}

/** Answers false, and leaves the item as it is, where people were told before. */
async function raiseOnce(
  tx: Transaction,
  core: Core,
  link: StoredLink,
  { providerPaymentId, amountMinor, currency, occurredAt }: PaymentConfirmed,
  { kind, paymentId }: { kind: "payment_in_other_currency" | "payment_over_owed"; paymentId: string | null },
): Promise<boolean> {
  const { tenant_id: tenantId, payment_link_id: paymentLinkId, invoice_id: invoiceId } = link;
  if ((await lockItem(tx, { tenant_id: tenantId, kind, subject: providerPaymentId })) !== undefined) return false;
  const about = { paymentId, paymentLinkId, invoiceId, amountMinor, currency, occurredAt };
  return raiseAttention(tx, core, { tenantId, kind, providerPaymentId, ...about });
}

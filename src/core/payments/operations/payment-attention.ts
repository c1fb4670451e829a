import type { PaymentConfirmed } from "../../../gateways/payments/events.ts";
import type { Transaction } from "../../../store/store.ts";
import { lockItem, raiseAttention } from "../../attention/attention-queries.ts";
import type { Core } from "../../gate/dependencies.ts";
import { innerOperation } from "../../gate/inner-operation.ts";
import { readableMoney } from "../../mail/readable.ts";
import type { StoredLink } from "../../payment-links/link-queries.ts";
import { type Money, toMinor } from "../../shared/money.ts";

/**
 * Money in another currency than the invoice's cannot be set against it; no link of the service asks for it, so somebody changed the
 * link at the provider. It counts in no figure and is put before people, once for however many events.
 */
export const keepOutOfFigures = innerOperation({
  id: "recordPaymentInOtherCurrency",
  callers: ["provider"],
  async run({ tx, core, audit }, { link, event }: { link: StoredLink; event: PaymentConfirmed }) {
    const isNew = await raiseOnce(tx, core, link, event, { kind: "payment_in_other_currency", paymentId: null });
    audit(isNew ? { type: "payment_link", id: link.payment_link_id, outcome: "refused" } : null);
    return isNew;
  },
});

/** Says of a payment how far it is above what was owed as it came, if it is. */
export const noteOverpayment = innerOperation({
  id: "recordOverpayment",
  callers: ["provider"],
  async run(
    { tx, core, audit },
    { link, event, paymentId, over }: { link: StoredLink; event: PaymentConfirmed; paymentId: string; over: Money },
  ) {
    const amountMinor = toMinor(over, event.currency) ?? 0n;
    if (amountMinor <= 0n) return audit(null);
    await raiseOnce(tx, core, link, { ...event, amountMinor }, { kind: "payment_over_owed", paymentId });
    audit({ type: "payment", id: paymentId, details: { excess: readableMoney(over, event.currency) } });
  },
});

/** Answers false, and leaves the item unchanged, where people were told before. */
async function raiseOnce(
  tx: Transaction,
  core: Pick<Core, "clock" | "newId">,
  link: StoredLink,
  { providerPaymentId, amountMinor, currency, occurredAt }: PaymentConfirmed,
  { kind, paymentId }: { kind: "payment_in_other_currency" | "payment_over_owed"; paymentId: string | null },
): Promise<boolean> {
  const { tenant_id: tenantId, payment_link_id: paymentLinkId, invoice_id: invoiceId } = link;
  if ((await lockItem(tx, tenantId, { kind, subject: providerPaymentId })) !== undefined) return false;
  const about = { paymentId, paymentLinkId, invoiceId, amountMinor, currency, occurredAt };
  return raiseAttention(tx, core, { tenantId, kind, providerPaymentId, ...about });
}

import type { PaymentConfirmed } from "../../../gateways/payments/events.ts";
import type { Transaction } from "../../../store/store.ts";
import { followAttention, raiseOnce } from "../../attention-items/attention-queries.ts";
import type { Core } from "../../gate/dependencies.ts";
import { innerOperation } from "../../gate/inner-operation.ts";
import type { StoredLink } from "../../payment-links/link-queries.ts";

/**
 * Money in another currency than the invoice's cannot be set against it: the ERP changed the invoice's, or somebody the link's at the
 * provider. It counts in no figure and is put before people, once for however many events.
 */
export const keepOutOfFigures = innerOperation({
  id: "recordPaymentInOtherCurrency",
  callers: ["provider"],
  async run({ tx, core, audit }, { link, event }: { link: StoredLink; event: PaymentConfirmed }) {
    const isNew = await raisePaid(tx, core, link, event, { kind: "payment_in_other_currency", paymentId: null });
    audit(isNew ? { type: "payment_link", id: link.payment_link_id, outcome: "refused" } : null);
    return isNew;
  },
});

/** Ends what people were told of a payment while its invoice had another currency. */
export function countInFigures(
  tx: Transaction,
  core: Pick<Core, "clock" | "newId">,
  { tenant_id: tenantId, payment_link_id: paymentLinkId, invoice_id: invoiceId }: StoredLink,
  { event, paymentId }: { event: PaymentConfirmed; paymentId: string },
): Promise<void> {
  const { providerPaymentId: subject, currency, occurredAt } = event;
  const about = { tenantId, paymentId, paymentLinkId, invoiceId, subject, currency, occurredAt };
  return followAttention(tx, core, { ...about, kind: "payment_in_other_currency", amountMinor: 0n });
}

/** Answers false, and leaves the item unchanged, where people were told before. */
export function raisePaid(
  tx: Transaction,
  core: Pick<Core, "clock" | "newId">,
  link: StoredLink,
  { providerPaymentId, amountMinor, currency, occurredAt }: PaymentConfirmed,
  { kind, paymentId }: { kind: "payment_in_other_currency" | "payment_over_owed"; paymentId: string | null },
): Promise<boolean> {
  const { tenant_id: tenantId, payment_link_id: paymentLinkId, invoice_id: invoiceId } = link;
  const about = { paymentId, paymentLinkId, invoiceId, amountMinor, currency, occurredAt };
  return raiseOnce(tx, core, { tenantId, kind, subject: providerPaymentId, ...about });
}

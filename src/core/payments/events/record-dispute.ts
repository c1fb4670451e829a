import type { PaymentDisputed } from "../../../gateways/payments/events.ts";
import { lockItem, raiseAttention, updateItem } from "../../attention-items/attention-queries.ts";
import type { ProviderActor } from "../../gate/actor.ts";
import { nowOf } from "../../gate/dependencies.ts";
import { innerOperation } from "../../gate/inner-operation.ts";
import type { RunContext } from "../../gate/run-context.ts";
import { updatePayment } from "../payment-queries.ts";
import type { ReportedPayment } from "./event-queries.ts";
import { lockReportedPayment, providerActor, type ReportedEvent } from "./vouching.ts";

const KIND = "payment_disputed";

/**
 * Records how the dispute of a payment stands: on the payment, in the audit trail and for people (completions §12); one that is
 * won needs nobody any more. A late report does not undo a newer one. A dispute names no link, so one of an unknown payment is
 * ignored: the list of events reports it again, behind its payment.
 */
export async function takeDispute(
  context: RunContext<ProviderActor>,
  reported: ReportedEvent<PaymentDisputed>,
): Promise<void> {
  const payment = await lockReportedPayment(context, reported, "recordDispute");
  if (payment === undefined || payment === "refused") return;
  const author = providerActor(context.actor.tenantId, payment.payment_integration_id ?? "");
  await recordDispute.within(context, author, { event: reported.event, payment });
}

const recordDispute = innerOperation({
  id: "recordDispute",
  callers: ["provider"],
  async run(
    { tx, core, actor: { tenantId }, audit },
    { event, payment }: { event: PaymentDisputed; payment: ReportedPayment },
  ) {
    audit(null);
    if (!isNews(event, payment)) return;
    const { payment_id: paymentId, payment_link_id: paymentLinkId, invoice_id: invoiceId } = payment;
    const { providerPaymentId, disputed, amountMinor, currency, occurredAt } = event;
    await updatePayment(tx, { tenantId, paymentId }, { disputed, disputed_as_of: occurredAt });
    if (disputed === payment.disputed && !event.closed) return;
    if (disputed) {
      const about = { paymentId, paymentLinkId, invoiceId, amountMinor, currency, occurredAt };
      await raiseAttention(tx, core, { tenantId, kind: KIND, subject: providerPaymentId, ...about });
    } else {
      const item = await lockItem(tx, tenantId, { kind: KIND, subject: providerPaymentId });
      if (item !== undefined) await updateItem(tx, item, { resolved_at: item.resolved_at ?? nowOf(core) });
    }
    audit({ type: "payment", id: paymentId });
  },
});

/** Of two that happened in one second, the bank's decision came last. */
function isNews({ occurredAt, closed, disputed }: PaymentDisputed, payment: ReportedPayment): boolean {
  const asOf = payment.disputed_as_of;
  if (asOf === null || occurredAt > asOf) return true;
  return occurredAt === asOf && closed && disputed !== payment.disputed;
}

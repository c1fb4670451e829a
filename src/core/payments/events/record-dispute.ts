import type { PaymentDisputed } from "../../../gateways/payments/gateway.ts";
import { lessenItem, lockItem, raiseAttention } from "../../attention-items/attention-queries.ts";
import { workStep } from "../../gate/work-step.ts";
import { updatePayment } from "../payment-queries.ts";
import type { lockPaymentsOf } from "./event-queries.ts";
import { lockReportedPayment, providerOf, type Taking } from "./vouching.ts";

const kind = "payment_disputed";

/** A payment that a provider reports a dispute of. */
type DisputedPayment = Awaited<ReturnType<typeof lockPaymentsOf>>[number];

/**
 * Records how the dispute of a payment stands: on the payment, in the audit trail and for people (completions §12); one that is
 * won needs nobody any more. A late report does not undo a newer one. A dispute names no link, so one of an unknown payment is
 * ignored: the list of events reports it again, behind its payment.
 */
export async function takeDispute(taking: Taking, event: PaymentDisputed) {
  const payment = await lockReportedPayment(taking, event, "recordDispute");
  if (payment === undefined || payment === "refused") return;
  await recordDispute.within(taking, providerOf(payment), { event, payment });
}

const recordDispute = workStep({
  name: "recordDispute",
  callers: ["provider"],
  async run({ tx, core, audit }, { event, payment }: { event: PaymentDisputed; payment: DisputedPayment }) {
    audit(null);
    if (!isNews(event, payment)) return;
    const { providerPaymentId: subject, disputed, amountMinor, currency, occurredAt: occurred_at } = event;
    await updatePayment(tx, payment, { disputed, disputed_as_of: occurred_at });
    if (disputed === payment.disputed && !event.closed) return;
    if (disputed) await raiseAttention(tx, core, { ...payment, kind, subject, amountMinor, currency, occurred_at });
    else {
      const item = await lockItem(tx, payment.tenant_id, { kind, subject });
      if (item !== undefined) await lessenItem(tx, core, item, 0n);
    }
    audit({ type: "payment", id: payment.payment_id });
  },
});

/** Of two that happened in one second, the bank's decision came last. */
function isNews({ occurredAt, closed, disputed }: PaymentDisputed, payment: DisputedPayment) {
  const asOf = payment.disputed_as_of;
  if (asOf === null || occurredAt > asOf) return true;
  return occurredAt === asOf && closed && disputed !== payment.disputed;
}

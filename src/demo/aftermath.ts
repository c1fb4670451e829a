import { recordProviderEvent } from "../core/payments/events/record-provider-event.ts";
import { type DemoPayment, selectDemoPayments } from "./collecting-queries.ts";
import type { Scene, Tell } from "./scene.ts";

/** Later events of payments: half of one is refunded at the provider, and a bank disputes another. */
export function aftermath(siteKey: string): Tell {
  return async (scene) => {
    const { core, tenantId } = scene;
    const ids = scene.site(siteKey).book.roles.settled;
    const [refunded, disputed] = await core.store.read(tenantId, (tx) => selectDemoPayments(tx, tenantId, ids));
    if (refunded !== undefined) await tell(scene, refunded, "refund");
    if (disputed !== undefined) await tell(scene, disputed, "dispute");
  };
}

/** Sends the event as the provider would, because the sandbox has no page for it. Idempotent. */
async function tell({ core, tenantId }: Scene, payment: DemoPayment, what: "refund" | "dispute"): Promise<void> {
  const { payment_integration_id: integrationId, provider_payment_id: providerPaymentId, currency } = payment;
  if (integrationId === null || providerPaymentId === null || payment.amount_minor === null) return;
  const amountMinor = BigInt(payment.amount_minor);
  const origin = {
    providerEventId: `sandbox_${what}_${payment.payment_id}`,
    occurredAt: core.clock.now().toISOString(),
    livemode: false,
    providerPaymentId,
    currency,
  };
  await recordProviderEvent(core, tenantId, {
    vouchers: [{ integrationId, livemode: false }],
    event:
      what === "refund"
        ? { ...origin, type: "payment_refunded", linkId: null, refundedMinor: amountMinor / 2n }
        : { ...origin, type: "payment_disputed", disputed: true, closed: false, amountMinor },
  });
}

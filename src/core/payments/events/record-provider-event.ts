import { z } from "zod";
import type { LinkChanged, PaymentFailed } from "../../../gateways/payments/gateway.ts";
import { type Core, operation } from "../../gate/operation.ts";
import { linkById, updateLink } from "../../payment-links/link-queries.ts";
import { withdrawAtProvider } from "../../payment-links/withdrawing/withdraw-links.ts";
import { takeDispute } from "./record-dispute.ts";
import { endSpentLink, takeConfirmation } from "./record-payment.ts";
import { takeFailedRefund, takeRefund } from "./record-refund.ts";
import { isVouchedFor, lockLinkOf, objectionTo, type ReportedEvent, type Taking } from "./vouching.ts";

/** Takes in an event that some integrations of a workspace vouch for, in a request of its own: the event's. */
export async function recordProviderEvent(core: Core, tenantId: string, reported: ReportedEvent) {
  const { event, vouchers } = reported;
  if (event.type === "ignored") return;
  const actor = { kind: "provider", tenantId, integrationId: vouchers[0].integrationId } as const;
  await takeProviderEvent.call(actor, reported, { core, requestId: event.providerEventId });
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
  async run(context, { event, vouchers }) {
    // Each effect has an entry of its own, by the integration whose link it is.
    context.audit(null);
    await takeEvent({ ...context, vouchers }, event);
    return null;
  },
});

async function takeEvent(taking: Taking, event: ReportedEvent["event"]) {
  switch (event.type) {
    case "payment_confirmed":
      return takeConfirmation(taking, event);
    case "payment_refunded":
      return takeRefund(taking, event);
    case "refund_failed":
      return takeFailedRefund(taking, event);
    case "payment_disputed":
      return takeDispute(taking, event);
    case "payment_failed":
      return takeFailure(taking, event);
    case "link_changed":
      return withdrawAgain(taking, event);
    case "ignored":
  }
}

/** A link whose one completion failed in the end cannot be paid any more: what it asked for is available again. */
async function takeFailure(taking: Taking, event: PaymentFailed) {
  const { core, actor, requestId } = taking;
  const { linkSpent, providerPaymentId } = event;
  core.log.warn({ tenantId: actor.tenantId, requestId, providerPaymentId, linkSpent }, "payment.failed");
  if (!linkSpent) return;
  const found = await lockLinkOf(taking, event);
  if (found?.link.state !== "active") return;
  if (await isVouchedFor(taking, event, "deactivatePaymentLink", found.link)) await endSpentLink(taking, found.link);
}

/** A withdrawn link that was switched on at the provider is withdrawn there again. Being switched off says nothing sure. */
async function withdrawAgain(taking: Taking, event: LinkChanged) {
  const { tx, core, actor, now, afterCommit } = taking;
  const { tenantId } = actor;
  if (!event.active) return;
  const link = await linkById(tx, tenantId, event.providerLinkId, { column: "provider_link_id" });
  if (link === undefined || (link.state !== "deactivated" && link.state !== "withdrawn")) return;
  if (objectionTo(taking, event, link) !== null) return;
  const { payment_link_id: linkId } = link;
  await updateLink(tx, tenantId, linkId, { withdrawal_due: true, next_attempt_at: now });
  afterCommit(() => withdrawAtProvider(core, tenantId, [linkId]));
}

import { z } from "zod";
import { lockInvoices } from "../../collection/collection-queries.ts";
import { operation, type RunContext } from "../../gate/operation.ts";
import { conflictOf, notFound, orNotFound } from "../../kernel/error.ts";
import { Uuid } from "../../kernel/wire-types.ts";
import { WITHDRAWING_MS } from "../issuing/finish-reservation.ts";
import { linkById, markWithdrawn } from "../link-queries.ts";
import { isShown, shownLink } from "../list-queries.ts";
import { LINK_CHANGE, PaymentLink } from "../schema.ts";
import { deactivateLink } from "../withdrawing/deactivate-link.ts";
import { withdrawAtProvider } from "../withdrawing/withdraw-links.ts";

/** completions §5: again changes nothing. Throws `not_found`, and `conflict` for a link that was paid. */
export const deactivatePaymentLink = operation({
  id: "deactivatePaymentLink",
  summary: "Withdraw a payment link",
  description:
    "Again changes nothing. A link that was paid answers `conflict`. One that asks for more than is owed is withdrawn without you. The request has no body.",
  errors: ["conflict"],
  ...LINK_CHANGE,
  sideEffects:
    "The link is withdrawn at the payment provider and its scheduled email cancelled; what it asked for is available again. It cannot be switched on again. A checkout the customer opened before is expired; a payment that arrives all the same is recorded. Auto Generate makes no link in its place until the amount changes or somebody makes one, also after the invoice's task is dismissed.",
  input: z.strictObject({ payment_link_id: Uuid.describe("Payment link id") }),
  output: PaymentLink,
  async run(context, { payment_link_id: linkId }) {
    const { actor, tx, core, now, audit, afterCommit } = context;
    const { tenantId } = actor;
    const link = await lockShownLink(context, linkId);
    if (link.state === "paid")
      throw conflictOf("payment link", linkId, (it) => `${it} was paid: there is nothing to withdraw.`);
    if (link.state === "active") {
      await markWithdrawn(tx, tenantId, link.installment_id, now);
      await deactivateLink(tx, core, { tenantId, linkId, invoiceId: link.invoice_id, leaseMs: WITHDRAWING_MS });
      afterCommit(() => withdrawAtProvider(core, tenantId, [linkId]));
    }
    audit(link.state === "active" ? { type: "payment_link", id: linkId } : null);
    return shownLink(tx, tenantId, linkId);
  },
});

/** A link that callers see, locked after its invoice. Throws `not_found`. */
async function lockShownLink({ actor, tx }: RunContext, linkId: string) {
  const known = orNotFound(await linkById(tx, actor.tenantId, linkId), "payment link");
  await lockInvoices(tx, actor.tenantId, [known.invoice_id]);
  const link = await linkById(tx, actor.tenantId, linkId, { lock: true });
  if (link === undefined || !isShown(link.state)) throw notFound("payment link");
  return link;
}

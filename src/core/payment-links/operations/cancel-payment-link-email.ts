import { z } from "zod";
import { operation } from "../../gate/operation.ts";
import { conflictOf } from "../../kernel/error.ts";
import { Uuid } from "../../kernel/wire-types.ts";
import { lockLinkEmail } from "../emails/link-email.ts";
import { cancelEmails } from "../emails/link-email-queries.ts";
import { shownLink } from "../list-queries.ts";
import { LINK_CHANGE, PaymentLink } from "../schema.ts";

/** completions §5; again: unchanged. Throws `not_found`, and `conflict` for one that was sent or failed. */
export const cancelPaymentLinkEmail = operation({
  id: "cancelPaymentLinkEmail",
  summary: "Cancel a scheduled email",
  description:
    "Again changes nothing; an email that was sent or failed, or is being sent, answers `conflict`. The request has no body.",
  errors: ["conflict"],
  ...LINK_CHANGE,
  sideEffects: "The scheduled email with this link is not sent; the link stays payable.",
  input: z.strictObject({ payment_link_id: Uuid.describe("Payment link id") }),
  output: PaymentLink,
  async run({ actor, tx, now, audit }, { payment_link_id: linkId }) {
    const { tenantId } = actor;
    const { status } = await lockLinkEmail(tx, { tenantId, linkId, now });
    if (status !== "scheduled" && status !== "cancelled")
      throw conflictOf(
        "payment link",
        linkId,
        (link) => `The email of ${link} is ${status}; only a scheduled one can be cancelled.`,
      );
    const isChanged = await cancelEmails(tx, tenantId, [linkId]);
    audit(isChanged ? { type: "payment_link", id: linkId } : null);
    return shownLink(tx, tenantId, linkId);
  },
});

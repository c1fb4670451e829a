import { z } from "zod";
import { operation, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { conflictOf } from "../../kernel/error.ts";
import { Uuid } from "../../kernel/wire-types.ts";
import { lockLinkEmail } from "../emails/link-email.ts";
import { scheduleFailedEmails } from "../emails/schedule-failed.ts";
import { shownLink } from "../list-queries.ts";
import { PaymentLink } from "../schema.ts";

/**
 * Schedules a failed email for the next sending time (completions §12); again changes nothing. Throws `not_found`, and
 * `conflict` for one that did not fail or whose link may not be mailed now.
 */
export const resendPaymentLinkEmail = operation({
  id: "resendPaymentLinkEmail",
  summary: "Schedule the failed email of a payment link for the next sending time",
  errors: ["conflict"],
  ...SETTINGS_CHANGE,
  sideEffects:
    "The workspace's own email with this link goes to the customer's billing email at the next sending time.",
  input: z.strictObject({ payment_link_id: Uuid }),
  output: PaymentLink,
  async run({ actor: { tenantId }, tx, core, now, audit }, { payment_link_id: linkId }) {
    const { status } = await lockLinkEmail(tx, { tenantId, linkId, now });
    if (status !== "failed" && status !== "scheduled")
      throw conflictOf(
        "payment link",
        linkId,
        (link) => `The email of ${link} is ${status}; only a failed one is sent again.`,
      );
    const scheduled = await scheduleFailedEmails(tx, core, tenantId, { linkIds: [linkId], byPerson: true });
    if (status === "failed" && scheduled === 0)
      throw conflictOf(
        ...(["payment link", linkId] as const),
        (link) =>
          `${link} cannot be mailed: it has ended, its debt cannot be collected now, or its customer has no billing email or is mailed nothing.`,
      );
    audit(scheduled === 0 ? null : { type: "payment_link", id: linkId });
    return shownLink(tx, tenantId, linkId);
  },
});

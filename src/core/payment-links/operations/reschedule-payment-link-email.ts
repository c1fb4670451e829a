import { z } from "zod";
import { operation } from "../../gate/operation.ts";
import { conflictOf } from "../../kernel/error.ts";
import { validationFailed } from "../../kernel/validation.ts";
import { GivenInstant, Uuid } from "../../kernel/wire-types.ts";
import { readableTime } from "../../mail/readable.ts";
import { timezoneOf } from "../../workspace/workspace-queries.ts";
import { lockLinkEmail } from "../emails/link-email.ts";
import { moveEmail } from "../emails/link-email-queries.ts";
import { shownLink } from "../list-queries.ts";
import { LINK_CHANGE, PaymentLink } from "../schema.ts";

const isSameInstant = (one: string, other: string): boolean => Date.parse(one) === Date.parse(other);

const LONGEST_AHEAD_DAYS = 365;
const DAY_MS = 86_400_000;

/** completions §5. Throws `not_found`, `validation_failed`, and `conflict` unless the email is `scheduled`. */
export const reschedulePaymentLinkEmail = operation({
  id: "reschedulePaymentLinkEmail",
  summary: "Move a scheduled email",
  description:
    "Only a workflow schedules an email, and only a `scheduled` one can be moved: else, and while it is being sent, `conflict`. A link whose email was moved is mailed once.",
  errors: ["conflict"],
  ...LINK_CHANGE,
  sideEffects: "The workspace's own email with this link goes to the customer at the new time instead of the old.",
  input: z.strictObject({
    payment_link_id: Uuid.describe("Payment link id"),
    send_at: GivenInstant.describe("ISO 8601 instant, in the future, at most 365 days ahead"),
  }),
  output: PaymentLink,
  async run({ actor, tx, now, audit }, { payment_link_id: linkId, send_at: sendAt }) {
    const { tenantId } = actor;
    const ahead = Date.parse(sendAt) - Date.parse(now);
    if (ahead <= 0) {
      const isNow = (it: string): string => `must be in the future: it is ${it} now`;
      const onPage = isNow(readableTime(now, await timezoneOf(tx, tenantId)));
      throw validationFailed([{ field: "send_at", message: isNow(now), onPage }]);
    }
    if (ahead > LONGEST_AHEAD_DAYS * DAY_MS)
      throw validationFailed([{ field: "send_at", message: `must be at most ${LONGEST_AHEAD_DAYS} days ahead` }]);
    const { status, ...before } = await lockLinkEmail(tx, { tenantId, linkId, now });
    if (status !== "scheduled")
      throw conflictOf(
        "payment link",
        linkId,
        (link) => `The email of ${link} is ${status}; only a scheduled one can be rescheduled.`,
      );
    const isThere = [before.send_at, before.next_attempt_at].every((at) => at !== null && isSameInstant(at, sendAt));
    if (!isThere) await moveEmail(tx, tenantId, linkId, sendAt);
    audit(isThere ? null : { type: "payment_link", id: linkId });
    return shownLink(tx, tenantId, linkId);
  },
});

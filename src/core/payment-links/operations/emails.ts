import { z } from "zod";
import { changedSettings } from "../../gate/audit.ts";
import { operation, type RunContext, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { isHeld } from "../../gate/retry.ts";
import { conflictOf, notFound } from "../../kernel/error.ts";
import { validationFailed } from "../../kernel/validation.ts";
import { GivenInstant, Uuid } from "../../kernel/wire-types.ts";
import { readableTime } from "../../mail/readable.ts";
import { timezoneOf } from "../../workspace/workspace-queries.ts";
import { whyNotSent } from "../emails/failed-email-queries.ts";
import { cancelEmails, lockEmail, moveEmail } from "../emails/link-email-queries.ts";
import { scheduleFailedEmails } from "../emails/schedule-failed.ts";
import { linkById } from "../link-queries.ts";
import { isShown, shownLink } from "../list-queries.ts";
import { type EmailStatus, LINK_CHANGE, PaymentLink } from "../schema.ts";

/**
 * A link's email, locked and free to be changed: nobody is sending it. Throws `not_found`, and `conflict` for a link that no email
 * was scheduled for, or whose email is being sent or is in none of the `statuses`, of which `only` tells.
 */
async function lockLinkEmail(
  { tx, actor: { tenantId }, now }: Pick<RunContext, "tx" | "now"> & { readonly actor: { readonly tenantId: string } },
  linkId: string,
  { statuses, only }: { statuses: readonly z.output<typeof EmailStatus>[]; only: string },
) {
  const conflict = (words: (link: string) => string) => conflictOf("payment link", linkId, words);
  const link = await linkById(tx, tenantId, linkId, { lock: true });
  if (link === undefined || !isShown(link.state)) throw notFound("payment link");
  const email = await lockEmail(tx, tenantId, linkId);
  if (email === undefined) throw conflict((it) => `No email was scheduled for ${it}.`);
  const { status } = email;
  if (status === "scheduled" && isHeld(email, now))
    throw conflict((it) => `The email of ${it} is being sent right now.`);
  if (status === "scheduled" && link.state !== "active")
    throw conflict((it) => `${it} has ended; its email will not be sent.`);
  if (!statuses.includes(status)) throw conflict((it) => `The email of ${it} is ${status}; only ${only}.`);
  return email;
}

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
  async run(context, { payment_link_id: linkId }) {
    const { tx, audit } = context;
    const { tenantId } = context.actor;
    const statuses = ["scheduled", "cancelled"] as const;
    await lockLinkEmail(context, linkId, { statuses, only: "a scheduled one can be cancelled" });
    const isChanged = await cancelEmails(tx, tenantId, [linkId]);
    audit(isChanged ? { type: "payment_link", id: linkId } : null);
    return shownLink(tx, tenantId, linkId);
  },
});

const isSameInstant = (one: string, other: string) => Date.parse(one) === Date.parse(other);

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
  async run(context, { payment_link_id: linkId, send_at: sendAt }) {
    const { tx, now, audit } = context;
    const { tenantId } = context.actor;
    const ahead = Date.parse(sendAt) - Date.parse(now);
    if (ahead <= 0) {
      const isNow = (it: string) => `must be in the future: it is ${it} now`;
      const onPage = isNow(readableTime(now, await timezoneOf(tx, tenantId)));
      throw validationFailed([{ field: "send_at", message: isNow(now), onPage }]);
    }
    if (ahead > LONGEST_AHEAD_DAYS * DAY_MS)
      throw validationFailed([{ field: "send_at", message: `must be at most ${LONGEST_AHEAD_DAYS} days ahead` }]);
    const only = "a scheduled one can be rescheduled";
    const before = await lockLinkEmail(context, linkId, { statuses: ["scheduled"], only });
    const isThere = [before.send_at, before.next_attempt_at].every((at) => at !== null && isSameInstant(at, sendAt));
    if (!isThere) await moveEmail(tx, tenantId, linkId, sendAt);
    const timezone = await timezoneOf(tx, tenantId);
    const shown = (at: string | null) => ({ send_at: at && readableTime(at, timezone) });
    const details = changedSettings(shown(before.send_at), shown(sendAt));
    audit(isThere ? null : { type: "payment_link", id: linkId, details });
    return shownLink(tx, tenantId, linkId);
  },
});

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
  async run(context, { payment_link_id: linkId }) {
    const { tx, core, audit } = context;
    const { tenantId } = context.actor;
    const statuses = ["failed", "scheduled"] as const;
    const { status } = await lockLinkEmail(context, linkId, { statuses, only: "a failed one is sent again" });
    const scheduled = await scheduleFailedEmails(tx, core, tenantId, { linkIds: [linkId], byPerson: true });
    if (status === "failed" && scheduled === 0) {
      const why = await whyNotSent(tx, tenantId, linkId);
      throw conflictOf("payment link", linkId, (link) => `${link} is not mailed, because ${why}.`);
    }
    audit(scheduled === 0 ? null : { type: "payment_link", id: linkId });
    return shownLink(tx, tenantId, linkId);
  },
});

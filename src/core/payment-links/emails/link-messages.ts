import { type Core, nowOf } from "../../gate/dependencies.ts";
import { RETRY, retryAt } from "../../gate/retry.ts";
import type { AuditedObject } from "../../gate/run-context.ts";
import { workStep } from "../../gate/work-step.ts";
import { businessDate } from "../../kernel/calendar.ts";
import { money } from "../../kernel/money.ts";
import { letterheadOf } from "../../mail/customer-mail.ts";
import { failureWords } from "../../mail/failure.ts";
import { localeOf } from "../../mail/locale.ts";
import type { MailOutcome } from "../../mail/outcome.ts";
import { paymentLinkEmail } from "../../mail/payment-link-email.ts";
import { type MailSettingsRecord, selectMailSettings } from "../../mail/settings-queries.ts";
import { PROVIDER_NAMES } from "../../provider-access/schema.ts";
import { type ClaimedMessage, holdDebtorsOf, updateEmails } from "./claim-message-queries.ts";
import { type LinkToMail, linksToMail } from "./mailed-links-queries.ts";
import { scheduleFailedEmails } from "./schedule-failed.ts";

/**
 * The message as it stands now, to the customer's billing email of now. Emails that must not be sent now are cancelled: for
 * good where the link has ended, else until its installment is collectible for as much as it asks and the customer can be
 * mailed. Those of another customer or address by now leave the message. Null when nothing is left of it.
 */
export async function readyLinkMessage(core: Core, claimed: ClaimedMessage) {
  const { links, settings } = await lookAtMessage(core, claimed.tenant_id, claimed);
  const live = links.filter(isLive);
  const waiting = live.filter((link) => !link.is_askable);
  const asked = live.filter((link) => link.is_askable);
  const bad = asked.filter((link) => !isWebAddress(link.url));
  const good = asked.filter((link) => isWebAddress(link.url));
  const [first] = good;
  const to = first?.customer_email ?? null;
  const own = good.filter((link) => first !== undefined && isOfOne(link, first));
  const others = good.filter((link) => !own.includes(link));
  if (own.length < links.length)
    await endEmails(core, claimed.tenant_id, {
      claimed,
      changes: [
        { change: { status: "cancelled" }, linkIds: idsOf(links.filter((link) => !isLive(link))) },
        { change: { status: "cancelled", cancelled_until: "mailable" }, linkIds: idsOf(waiting) },
        { change: unsendable(core, bad[0]?.customer_email), linkIds: idsOf(bad) },
        { change: { message_id: null }, linkIds: idsOf(others) },
      ],
    });
  if (own.length === 0 || to === null || settings === undefined) return null;
  const today = businessDate(core.clock.now(), settings.timezone);
  return {
    to,
    linkIds: idsOf(own),
    workspaceName: settings.workspace_name,
    /** Throws RangeError for what cannot be put into a mail. */
    compose: () => composeLinkMessage(settings, own, today),
  };
}

/** Whether both go to one customer at one address. Customers without an id are told apart by name. */
const isOfOne = (one: LinkToMail, other: LinkToMail) =>
  one.customer_email === other.customer_email &&
  one.customer_id === other.customer_id &&
  (one.customer_id !== null || one.customer_name === other.customer_name);

const lookAtMessage = workStep({
  in: "workspace",
  run: async ({ tx, tenantId }, claimed: ClaimedMessage) => ({
    links: await linksToMail(tx, tenantId, {
      "email.message_id": claimed.message_id,
      "email.claim_id": claimed.claim_id,
    }),
    settings: await selectMailSettings(tx, tenantId),
  }),
});

/** What a message says of a link. */
type LinkToShow = Pick<
  LinkToMail,
  | "amount"
  | "currency"
  | "url"
  | "invoice_id"
  | "invoice_number"
  | "invoice_date"
  | "total_amount"
  | "customer_name"
  | "due_date"
  | "provider"
  | "locale"
>;

/** The message with these links of one customer, of which there is at least one, on a business day of the workspace. */
export function composeLinkMessage(settings: MailSettingsRecord, links: readonly LinkToShow[], today: string) {
  const { sender, pictures, contact, replyTo } = letterheadOf(settings);
  const [first] = links;
  const mail = paymentLinkEmail({
    locale: localeOf(first?.locale ?? settings.locale, settings.timezone),
    sender,
    contact,
    replyTo,
    customerName: first?.customer_name ?? null,
    today,
    links: links.map((link) => ({
      invoiceId: link.invoice_id,
      invoiceNumber: link.invoice_number,
      invoiceDate: link.invoice_date,
      invoiceTotal: link.total_amount === null ? null : money(link.total_amount),
      amount: money(link.amount),
      currency: link.currency,
      dueDate: link.due_date,
      url: link.url ?? "",
      provider: { name: PROVIDER_NAMES[link.provider], isSandbox: link.provider === "sandbox" },
    })),
  });
  return { ...mail, pictures };
}

/** What is written to the emails of a message: to those of some links, or to all. */
interface EmailsEnd {
  readonly change: Parameters<typeof updateEmails>[2];
  readonly linkIds?: readonly string[];
}

/** Writes down how an attempt ended, of the links that the message had; `to` is where a sent one went. */
export function endLinkMessage(
  core: Core,
  claimed: ClaimedMessage,
  outcome: MailOutcome,
  { to, linkIds }: { to: string; linkIds: readonly string[] },
) {
  // Of the day it was claimed for, though the server took it after midnight: the next day's message is another.
  const sent = { recipient: to, sent_at: claimed.claimed_at };
  const change =
    outcome.status === "retry"
      ? { next_attempt_at: outcome.at }
      : {
          status: outcome.status,
          ...(outcome.status === "sent" ? sent : {}),
          ...(outcome.status === "failed" ? { recipient: to, ...outcome.why, failed_at: nowOf(core) } : {}),
        };
  return endEmails(core, claimed.tenant_id, { claimed, changes: [{ change, linkIds }] });
}

/** Gives the lease back after an attempt that failed unexpectedly: the same message is tried again soon. */
export function releaseLinkMessage(core: Core, claimed: ClaimedMessage) {
  const change = { next_attempt_at: retryAt(core, RETRY.unexpected, claimed.attempts) };
  return endEmails(core, claimed.tenant_id, { claimed, changes: [{ change }] });
}

/** What the audit trail calls the sending of links' mails; those that failed stand in it for good. */
export const MAILING_LINKS = "mailPaymentLinks";

const endEmails = workStep({
  name: MAILING_LINKS,
  async run({ tx, core, audit }, { claimed, changes }: { claimed: ClaimedMessage; changes: readonly EmailsEnd[] }) {
    const { tenant_id: tenantId } = claimed;
    if (changes.some(({ change }) => mayGoAgain(change))) await holdDebtorsOf(tx, claimed);
    const failed: AuditedObject[] = [];
    for (const { change, linkIds: of } of changes) {
      const linkIds = await updateEmails(tx, claimed, change, of);
      // What stood in their way may be gone since they were looked at.
      if (mayGoAgain(change)) await scheduleFailedEmails(tx, core, tenantId, { linkIds, byPerson: false });
      if (change.status !== "failed") continue;
      const details = { to: change.recipient ?? "", why: failureWords(change) };
      failed.push(...linkIds.map((id) => ({ type: "payment_link", id, outcome: "failed" as const, details })));
    }
    audit(failed);
  },
});

/** Whether an email with this change is scheduled again by itself. */
const mayGoAgain = (change: EmailsEnd["change"]) => change.status === "failed" || change.cancelled_until != null;

/** Whether the link can be paid still. */
const isLive = (link: LinkToMail) =>
  link.status === "scheduled" && link.state === "active" && link.paid_at === null && link.url !== null;

function isWebAddress(address: string | null) {
  const url = address === null ? null : URL.parse(address);
  return url !== null && ["https:", "http:"].includes(url.protocol);
}

const unsendable = (core: Core, to: string | null | undefined): EmailsEnd["change"] => ({
  ...{ status: "failed", failure: "unsendable", failed_at: nowOf(core) },
  ...(to == null ? {} : { recipient: to }),
});

const idsOf = (links: readonly LinkToMail[]) => links.map((link) => link.payment_link_id);

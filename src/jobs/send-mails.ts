import { readyMemberMail } from "../core/accounts/member-mails.ts";
import { claimWork, retrySoon } from "../core/gate/claims.ts";
import type { Core } from "../core/gate/dependencies.ts";
import { shownName } from "../core/kernel/text.ts";
import type { Message } from "../core/mail/message.ts";
import { afterTemporaryFailure, type MailOutcome, recordMailOutcome } from "../core/mail/outcome.ts";
import { type ClaimedMail, MAILS } from "../core/mail/outgoing-queries.ts";
import { claimLinkMessages } from "../core/payment-links/emails/claim-link-messages.ts";
import type { ClaimedMessage } from "../core/payment-links/emails/claim-message-queries.ts";
import { endLinkMessage, readyLinkMessage, releaseLinkMessage } from "../core/payment-links/emails/link-messages.ts";
import { MailError, type Mailer } from "../gateways/mail/mailer.ts";
import { type OutsideCall, outsideCalls } from "../signals.ts";
import { workOff } from "./work-off.ts";

const AT_ONCE = 8;

/**
 * Sends what members and the invited are to be told, several at once, until nothing is due or `stop` says so; cancels what nobody
 * needs any more (service.md §3.4). Answers how many were settled.
 */
export async function sendMails(core: Core, office: PostOffice, signals: MailSignals = {}) {
  return workOff(core, {
    event: "mail",
    atOnce: AT_ONCE,
    stop: signals.stop,
    claim: (next) => claimWork(core, MAILS, { ...next, leaseMs: MAIL_LEASE_MS }),
    work: (mail) => sendOne(core, office, mail, signals),
    retry: (mail) => retrySoon(core, "outgoing_mails", mail),
    fieldsOf: ({ tenant_id: tenantId, mail_id: mailId }) => ({ tenantId, mailId }),
  });
}

async function sendOne(core: Core, office: PostOffice, mail: ClaimedMail, signals: MailSignals) {
  const ready = await readyMemberMail(core, mail, office.publicOrigin);
  const { mail_id: mailId, kind, recipient: to, attempts } = mail;
  const outcome: MailOutcome =
    ready === null
      ? { status: "cancelled" }
      : await attemptMail(core, office, { ...ready, mailId, kind, to, attempts }, signals);
  await recordMailOutcome(core, mail.tenant_id, { mail, outcome });
}

/**
 * Sends the messages with payment links that are due, several at once, until none is or `stop` says so; cancels the emails
 * of links that have ended or ask for more than can be collected now (completions §4, §7). Answers how many messages it
 * claimed.
 */
export function sendLinkEmails(core: Core, office: PostOffice, signals: MailSignals = {}) {
  return workOff(core, {
    event: "payment_link.email",
    atOnce: AT_ONCE,
    stop: signals.stop,
    claim: (next) => claimLinkMessages(core, { ...next, leaseMs: MAIL_LEASE_MS }),
    work: (message) => sendMessage(core, office, message, signals),
    retry: (message) => releaseLinkMessage(core, message),
    fieldsOf: ({ tenant_id: tenantId, message_id: messageId }) => ({ tenantId, messageId }),
  });
}

async function sendMessage(core: Core, office: PostOffice, message: ClaimedMessage, signals: MailSignals) {
  const ready = await readyLinkMessage(core, message);
  if (ready === null) return;
  const mail = { ...ready, mailId: message.message_id, kind: "payment_links", attempts: message.attempts };
  const outcome = await attemptMail(core, office, mail, signals);
  await endLinkMessage(core, message, outcome, ready);
}

/** How the service sends mail. */
export interface PostOffice {
  readonly mailer: Mailer;
  /** The address everything is sent from; its name is the workspace's. */
  readonly fromAddress: string;
  /** `https://host[:port]`: where links into the service's own pages lead. */
  readonly publicOrigin: string;
}

/** When a job that mails ends. */
interface MailSignals {
  /** Claims nothing more. */
  readonly stop?: AbortSignal;
  /** Gives up what is under way; it is due again. */
  readonly giveUp?: AbortSignal;
}

/** A mail, and how often it was tried, this time included. */
interface Mail {
  /** The row's own id: the same at every attempt, so that a mail sent twice can be told to be one. */
  readonly mailId: string;
  readonly kind: string;
  readonly to: string;
  readonly workspaceName: string;
  /** Throws RangeError for what cannot be put into a mail. */
  compose(): Message;
  readonly attempts: number;
}

/** Of a rejection for which the mail server gave no code (RFC 5321: mailbox unavailable). */
const UNKNOWN_CODE = "550";

/** Claims of `leaseMs` end long after the mailer has given up a message. */
const MAIL_LEASE_MS = 5 * 60_000;

/**
 * Tries to send a mail once, with no transaction open. An outage is worth another attempt later; a message that a server
 * refuses, or that cannot be sent at all, is not.
 */
async function attemptMail(
  core: Core,
  { mailer, fromAddress }: PostOffice,
  { mailId, kind, to, workspaceName, compose, attempts }: Mail,
  { giveUp }: MailSignals,
): Promise<MailOutcome> {
  const from = { name: workspaceName, address: fromAddress };
  try {
    const message = { messageId: mailId, to, from, ...compose() };
    const told: OutsideCall = { system: "mail", operation: "send", outcome: "ok" };
    await outsideCalls.during(told, () => mailer.send(message, giveUp === undefined ? {} : { signal: giveUp }));
    return { status: "sent" };
  } catch (error) {
    const temporary = error instanceof MailError && error.kind === "temporary";
    const fields = { mailId, kind, workspace: shownName(workspaceName), attempts, err: error };
    core.log.warn(fields, temporary ? "mail.delayed" : "mail.failed");
    if (error instanceof RangeError)
      return { status: "failed", why: { failure: "unsendable", server_codes: null, server_words: null } };
    if (!(error instanceof MailError)) throw error;
    const server = { server_codes: error.codes, server_words: error.words };
    if (temporary) return afterTemporaryFailure(core, attempts, server);
    return { status: "failed", why: { failure: "rejected", ...server, server_codes: error.codes ?? UNKNOWN_CODE } };
  }
}

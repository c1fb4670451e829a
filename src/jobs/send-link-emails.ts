import type { Core } from "../core/gate/dependencies.ts";
import { claimLinkMessages } from "../core/payment-links/emails/claim-link-messages.ts";
import type { ClaimedMessage } from "../core/payment-links/emails/claim-message-queries.ts";
import { readyLinkMessage, releaseLinkMessage, settleLinkMessage } from "../core/payment-links/emails/link-messages.ts";
import { attemptMail, MAIL_LEASE_MS, type MailSignals, type PostOffice } from "./mail-attempt.ts";
import { workOff } from "./work-off.ts";

const AT_ONCE = 5;

/**
 * Sends the messages with payment links that are due, several at once, until none is or `stop` says so; cancels the emails
 * of links that have ended or ask for more than can be collected now (completions §4, §7). Answers how many messages it
 * claimed.
 */
export function sendLinkEmails(core: Core, office: PostOffice, signals: MailSignals = {}): Promise<number> {
  return workOff(core, {
    event: "payment_link.email",
    stop: signals.stop,
    claim: (turn) => claimLinkMessages(core, { limit: AT_ONCE, leaseMs: MAIL_LEASE_MS, turn }),
    work: (message) => sendOne(core, office, message, signals),
    retry: (message) => releaseLinkMessage(core, message),
    fieldsOf: ({ tenant_id: tenantId, message_id: messageId }) => ({ tenantId, messageId }),
  });
}

async function sendOne(core: Core, office: PostOffice, message: ClaimedMessage, signals: MailSignals): Promise<void> {
  const ready = await readyLinkMessage(core, message);
  if (ready === null) return;
  const mail = { ...ready, mailId: message.message_id, attempts: message.attempts };
  const outcome = await attemptMail(core, office, mail, signals);
  await settleLinkMessage(core, message, outcome, ready.to);
}

import { committed } from "../core/gate/committed.ts";
import { type Core, nowOf } from "../core/gate/core.ts";
import { claimLinkMessages } from "../core/payment-links/emails/claim-link-messages.ts";
import { type ClaimedMessage, cancelEndedEmails } from "../core/payment-links/emails/link-message-queries.ts";
import { readyLinkMessage, releaseLinkMessage, settleLinkMessage } from "../core/payment-links/emails/link-messages.ts";
import { farthestOf } from "../core/shared/retry.ts";
import { attemptMail, MAIL_LEASE_MS, type MailSignals, type PostOffice } from "./mail-attempt.ts";

const AT_ONCE = 5;

/**
 * Sends the messages with payment links that are due, several at once, until none is or `stop` says so; cancels the emails
 * of links that have ended or ask for more than can be collected now (completions §4, §7). Answers how many messages it
 * tried to send and how many emails of ended links it cancelled.
 */
export async function sendLinkEmails(core: Core, office: PostOffice, signals: MailSignals = {}): Promise<number> {
  let done = await committed(() =>
    core.store.system((tx) => cancelEndedEmails(tx, { now: nowOf(core), farthest: farthestOf(nowOf(core)) })),
  );
  while (signals.stop?.aborted !== true) {
    const claimed = await claimLinkMessages(core, { limit: AT_ONCE, leaseMs: MAIL_LEASE_MS });
    if (claimed.length === 0) break;
    await Promise.all(claimed.map((message) => sendOrRelease(core, office, message, signals)));
    done += claimed.length;
  }
  return done;
}

/** Never rejects: what fails unexpectedly is tried again soon. */
async function sendOrRelease(
  core: Core,
  office: PostOffice,
  message: ClaimedMessage,
  signals: MailSignals,
): Promise<void> {
  const fields = { tenantId: message.tenant_id, messageId: message.email_batch_id };
  try {
    await sendOne(core, office, message, signals);
  } catch (error) {
    core.log.error({ ...fields, err: error }, "payment_link.email.failed");
    await releaseLinkMessage(core, message).catch((failure: unknown) =>
      core.log.error({ ...fields, err: failure }, "payment_link.email.not_released"),
    );
  }
}

async function sendOne(core: Core, office: PostOffice, message: ClaimedMessage, signals: MailSignals): Promise<void> {
  const ready = await readyLinkMessage(core, message);
  if (ready === null) return;
  const mail = { ...ready, mailId: message.email_batch_id, attempts: message.attempts };
  const outcome = await attemptMail(core, office, mail, signals);
  await settleLinkMessage(core, message, outcome, ready.to);
}

import type { Core } from "../core/core.ts";
import type { ClaimedEmail } from "../core/payment-links/link-email-queries.ts";
import { claimLinkEmails, readyLinkEmail, settleLinkEmail } from "../core/payment-links/send-link-email.ts";
import { attemptMail, MAIL_LEASE_MS, type MailSignals, type PostOffice } from "./mail-attempt.ts";

const AT_ONCE = 5;

/**
 * Sends the payment-link emails that are due, several at once, until none is or `stop` says so; cancels those whose
 * link has ended or asks for more than can be collected now (completions §4). Answers how many were settled.
 */
export async function sendLinkEmails(core: Core, office: PostOffice, signals: MailSignals = {}): Promise<number> {
  let done = 0;
  while (signals.stop?.aborted !== true) {
    const claimed = await claimLinkEmails(core, { limit: AT_ONCE, leaseMs: MAIL_LEASE_MS });
    if (claimed.length === 0) break;
    await Promise.all(
      claimed.map(async (email) => {
        const fields = { tenantId: email.tenant_id, paymentLinkId: email.payment_link_id };
        await sendOne(core, office, email, signals).catch((error: unknown) =>
          core.log.error({ ...fields, err: error }, "an email was left as it was"),
        );
      }),
    );
    done += claimed.length;
  }
  return done;
}

async function sendOne(core: Core, office: PostOffice, email: ClaimedEmail, signals: MailSignals): Promise<void> {
  const ready = await readyLinkEmail(core, email);
  if (ready === null) return settleLinkEmail(core, email, { status: "cancelled" }, null);
  const mail = { ...ready, mailId: email.payment_link_id, attempts: email.attempts };
  const outcome = await attemptMail(core, office, mail, signals);
  await settleLinkEmail(core, email, outcome, ready.to);
}

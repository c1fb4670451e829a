import type { Core } from "../core/core.ts";
import { claimMemberMails, readyMemberMail, releaseMemberMail, settleMemberMail } from "../core/mail/member-mails.ts";
import type { ClaimedMail } from "../core/mail/outgoing-queries.ts";
import { attemptMail, MAIL_LEASE_MS, type MailSignals, type PostOffice } from "./mail-attempt.ts";

const AT_ONCE = 5;

/**
 * Sends what members and the invited are to be told, several at once, until nothing is due or `stop` says so; cancels what nobody
 * needs any more (service.md §3.4). Answers how many were settled.
 */
export async function sendMails(core: Core, office: PostOffice, signals: MailSignals = {}): Promise<number> {
  let done = 0;
  while (signals.stop?.aborted !== true) {
    const claimed = await claimMemberMails(core, { limit: AT_ONCE, leaseMs: MAIL_LEASE_MS });
    if (claimed.length === 0) break;
    await Promise.all(
      claimed.map(async (mail) => {
        const fields = { tenantId: mail.tenant_id, mailId: mail.mail_id };
        await sendOne(core, office, mail, signals).catch(async (error: unknown) => {
          core.log.error({ ...fields, err: error }, "mail.failed");
          await releaseMemberMail(core, mail).catch((failure: unknown) =>
            core.log.error({ ...fields, err: failure }, "mail.not_released"),
          );
        });
      }),
    );
    done += claimed.length;
  }
  return done;
}

async function sendOne(core: Core, office: PostOffice, mail: ClaimedMail, signals: MailSignals): Promise<void> {
  const ready = await readyMemberMail(core, mail, office.publicOrigin);
  if (ready === null) return settleMemberMail(core, mail, { status: "cancelled" });
  const { mail_id: mailId, recipient: to, attempts } = mail;
  const outcome = await attemptMail(core, office, { ...ready, mailId, to, attempts }, signals);
  await settleMemberMail(core, mail, outcome);
}

import type { Core } from "../core/core.ts";
import type { ClaimedMail } from "../core/mail/outgoing-queries.ts";
import { claimTaskMails, readyTaskMail, settleTaskMail } from "../core/tasks/send-task-mail.ts";
import { attemptMail, MAIL_LEASE_MS, type MailSignals, type PostOffice } from "./mail-attempt.ts";

const AT_ONCE = 5;

/**
 * Sends what members are to be told, several at once, until nothing is due or `stop` says so; cancels what nobody
 * needs any more (service.md §3.4). Answers how many were settled.
 */
export async function sendMails(core: Core, office: PostOffice, signals: MailSignals = {}): Promise<number> {
  let done = 0;
  while (signals.stop?.aborted !== true) {
    const claimed = await claimTaskMails(core, { limit: AT_ONCE, leaseMs: MAIL_LEASE_MS });
    if (claimed.length === 0) break;
    await Promise.all(
      claimed.map(async (mail) => {
        const fields = { tenantId: mail.tenant_id, mailId: mail.mail_id };
        await sendOne(core, office, mail, signals).catch((error: unknown) =>
          core.log.error({ ...fields, err: error }, "a mail was left as it was"),
        );
      }),
    );
    done += claimed.length;
  }
  return done;
}

async function sendOne(core: Core, office: PostOffice, mail: ClaimedMail, signals: MailSignals): Promise<void> {
  const ready = await readyTaskMail(core, mail);
  if (ready === null) return settleTaskMail(core, mail, { status: "cancelled" });
  const { mail_id: mailId, recipient: to, attempts } = mail;
  const outcome = await attemptMail(core, office, { ...ready, mailId, to, attempts }, signals);
  await settleTaskMail(core, mail, outcome);
}

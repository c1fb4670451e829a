import type { Core } from "../core/gate/dependencies.ts";
import { readyMemberMail, recordMailOutcome } from "../core/mail/member-mails.ts";
import { type ClaimedMail, MAILS } from "../core/mail/outgoing-queries.ts";
import { claimWork, retrySoon } from "../core/shared/work.ts";
import { attemptMail, MAIL_LEASE_MS, type MailSignals, type PostOffice } from "./mail-attempt.ts";
import { workOff } from "./work-off.ts";

const AT_ONCE = 5;

/**
 * Sends what members and the invited are to be told, several at once, until nothing is due or `stop` says so; cancels what nobody
 * needs any more (service.md §3.4). Answers how many were settled.
 */
export async function sendMails(core: Core, office: PostOffice, signals: MailSignals = {}): Promise<number> {
  return workOff(core, {
    event: "mail",
    stop: signals.stop,
    claim: (turn) => claimWork(core, MAILS, { limit: AT_ONCE, leaseMs: MAIL_LEASE_MS, turn }),
    work: (mail) => sendOne(core, office, mail, signals),
    retry: (mail) => retrySoon(core, "outgoing_mails", mail),
    fieldsOf: ({ tenant_id: tenantId, mail_id: mailId }) => ({ tenantId, mailId }),
  });
}

async function sendOne(core: Core, office: PostOffice, mail: ClaimedMail, signals: MailSignals): Promise<void> {
  const ready = await readyMemberMail(core, mail, office.publicOrigin);
  if (ready === null) return recordMailOutcome(core, mail, { status: "cancelled" });
  const { mail_id: mailId, recipient: to, attempts } = mail;
  const outcome = await attemptMail(core, office, { ...ready, mailId, to, attempts }, signals);
  await recordMailOutcome(core, mail, outcome);
}

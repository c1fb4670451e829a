import { type Core, nowOf } from "../core.ts";
import { readyInvitationMail } from "../invitations/invitation-mail.ts";
import { readyTaskMail } from "../tasks/ready-task-mail.ts";
import type { MailOutcome } from "./attempts.ts";
import type { Message } from "./message.ts";
import { type ClaimedMail, claimMails, settleMail } from "./outgoing-queries.ts";

/** Takes up to `limit` due mails to people for `leaseMs`; from then on, another worker may. */
export function claimMemberMails(
  core: Core,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<ClaimedMail[]> {
  const leaseUntil = new Date(core.clock.now().getTime() + leaseMs).toISOString();
  return core.store.system((tx) => claimMails(tx, { now: nowOf(core), leaseUntil, limit }));
}

/** The mail as it stands now; null when its occasion has passed. Links in it lead to `publicOrigin`. */
export function readyMemberMail(
  core: Core,
  mail: ClaimedMail,
  publicOrigin: string,
): Promise<{ workspaceName: string; compose(): Message } | null> {
  return mail.kind === "invitation" ? readyInvitationMail(core, mail, publicOrigin) : readyTaskMail(core, mail);
}

/** Writes down how an attempt ended. */
export function settleMemberMail(core: Core, mail: ClaimedMail, outcome: MailOutcome): Promise<void> {
  const change =
    outcome.status === "retry"
      ? { next_attempt_at: outcome.at }
      : { status: outcome.status, ...(outcome.status === "sent" ? { sent_at: nowOf(core) } : {}) };
  return core.store.write(mail.tenant_id, (tx) => settleMail(tx, mail, change));
}

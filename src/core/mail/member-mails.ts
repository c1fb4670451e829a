import { readyApprovalMail } from "../assistants/approval-mail.ts";
import { committed } from "../committed.ts";
import { type Core, nowOf } from "../core.ts";
import { readyInvitationMail } from "../invitations/invitation-mail.ts";
import { farthestOf, retryAt } from "../retry.ts";
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
  const due = { now: nowOf(core), leaseUntil, farthest: farthestOf(nowOf(core)), limit };
  return committed(() => core.store.system((tx) => claimMails(tx, due)));
}

/** The mail as it stands now; null when its occasion has passed. Links in it lead to `publicOrigin`. */
export function readyMemberMail(
  core: Core,
  mail: ClaimedMail,
  publicOrigin: string,
): Promise<{ workspaceName: string; compose(): Message } | null> {
  switch (mail.kind) {
    case "invitation":
      return readyInvitationMail(core, mail, publicOrigin);
    case "task_assigned":
      return readyTaskMail(core, mail);
    case "assistant_connected":
    case "assistant_extended":
      return readyApprovalMail(core, mail, publicOrigin);
  }
}

/** Writes down how an attempt ended. */
export function settleMemberMail(core: Core, mail: ClaimedMail, outcome: MailOutcome): Promise<void> {
  const change =
    outcome.status === "retry"
      ? { next_attempt_at: outcome.at }
      : { status: outcome.status, ...(outcome.status === "sent" ? { sent_at: nowOf(core) } : {}) };
  return committed(() => core.store.write(mail.tenant_id, (tx) => settleMail(tx, mail, change)));
}

/** Gives the lease back after an attempt that failed unexpectedly: the mail is tried again soon. */
export function releaseMemberMail(core: Core, mail: ClaimedMail): Promise<void> {
  return settleMemberMail(core, mail, { status: "retry", at: retryAt(core, mail.attempts) });
}

import { readyApprovalMail } from "../assistants/approval-mail.ts";
import { type Core, nowOf } from "../gate/dependencies.ts";
import { readyInvitationMail } from "../invitations/invitation-mail.ts";
import { endClaim } from "../shared/work.ts";
import { readyTaskMail } from "../tasks/ready-task-mail.ts";
import type { MailOutcome } from "./attempts.ts";
import type { Message } from "./message.ts";
import type { ClaimedMail } from "./outgoing-queries.ts";

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
export async function settleMemberMail(core: Core, mail: ClaimedMail, outcome: MailOutcome): Promise<void> {
  const change =
    outcome.status === "retry"
      ? { next_attempt_at: outcome.at }
      : { status: outcome.status, ...(outcome.status === "sent" ? { sent_at: nowOf(core) } : {}) };
  await endClaim(core, "outgoing_mails", mail, change);
}

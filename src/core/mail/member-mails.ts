import { readyAccountNotice } from "../accounts/notice-mail.ts";
import { readyApprovalMail } from "../assistants/approval-mail.ts";
import { type Core, nowOf } from "../gate/dependencies.ts";
import { readyInvitationMail } from "../invitations/invitation-mail.ts";
import { readyResetMail } from "../password-resets/reset-mail.ts";
import { endClaim } from "../shared/claims.ts";
import { mayRetry, RETRY, retryAt } from "../shared/retry.ts";
import { readyTaskMail } from "../tasks/task-mail.ts";
import type { MailFailure } from "./failure.ts";
import { inertText } from "./inert-text.ts";
import type { Message } from "./message.ts";
import type { ClaimedMail } from "./outgoing-queries.ts";

/** The mail with current data; null if it is no longer needed. Links in it lead to `publicOrigin`. */
export async function readyMemberMail(core: Core, mail: ClaimedMail, publicOrigin: string): Promise<ReadyMail | null> {
  const ready = await write(core, mail, publicOrigin);
  return ready && { ...ready, workspaceName: inertText(ready.workspaceName) };
}

interface ReadyMail {
  readonly workspaceName: string;
  compose(): Message;
}

async function write(core: Core, mail: ClaimedMail, publicOrigin: string): Promise<ReadyMail | null> {
  switch (mail.kind) {
    case "invitation":
      return readyInvitationMail(core, mail, publicOrigin);
    case "task_assigned":
      return readyTaskMail(core, mail, publicOrigin);
    case "assistant_connected":
    case "assistant_extended":
      return readyApprovalMail(core, mail, publicOrigin);
    case "password_reset":
      return readyResetMail(core, mail, publicOrigin);
    default:
      return readyAccountNotice({ ...mail, kind: mail.kind }, publicOrigin);
  }
}

/** Records the outcome of an attempt. */
export async function recordMailOutcome(core: Core, mail: ClaimedMail, outcome: MailOutcome): Promise<void> {
  const change =
    outcome.status === "retry"
      ? { next_attempt_at: outcome.at }
      : { status: outcome.status, ...(outcome.status === "sent" ? { sent_at: nowOf(core) } : {}) };
  await endClaim(core, "outgoing_mails", mail, change);
}

/** The outcome of an attempt to send a mail; `retry` says when the next is due. */
export type MailOutcome =
  | { readonly status: "sent" | "cancelled" }
  | { readonly status: "failed"; readonly why: MailFailure }
  | { readonly status: "retry"; readonly at: string };

/** The outcome of temporary failure number `attempts`: retried later, for about a day. */
export function afterTemporaryFailure(
  core: Pick<Core, "clock">,
  attempts: number,
  server: Omit<MailFailure, "failure">,
): MailOutcome {
  if (!mayRetry(RETRY.mail, attempts)) return { status: "failed", why: { failure: "not_taken", ...server } };
  return { status: "retry", at: retryAt(core, RETRY.mail, attempts) };
}

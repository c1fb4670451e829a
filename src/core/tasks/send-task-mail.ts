import { type Core, nowOf } from "../core.ts";
import type { MailOutcome } from "../mail/attempts.ts";
import type { Message } from "../mail/message.ts";
import { type ClaimedMail, claimMails, settleMail, taskToTell } from "../mail/outgoing-queries.ts";
import { taskAssignedMail } from "../mail/task-assigned-mail.ts";

/** Takes up to `limit` due mails to members for `leaseMs`; from then on, another worker may. */
export function claimTaskMails(
  core: Core,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<ClaimedMail[]> {
  const leaseUntil = new Date(core.clock.now().getTime() + leaseMs).toISOString();
  return core.store.system((tx) => claimMails(tx, { now: nowOf(core), leaseUntil, limit }));
}

/** The mail as it stands now; null when nobody needs it any more: the task has ended, or the member was removed. */
export async function readyTaskMail(
  core: Core,
  mail: ClaimedMail,
): Promise<{ workspaceName: string; compose(): Message } | null> {
  const task = await core.store.read(mail.tenant_id, (tx) => taskToTell(tx, mail.tenant_id, mail.subject_id));
  if (task === undefined || task.state !== "open" || task.assignee_email !== mail.recipient) return null;
  const { workspace_name: workspaceName } = task;
  const told = {
    workspaceName,
    invoiceNumber: task.invoice_number,
    customerName: task.customer_name,
    outstanding: task.collection_outstanding,
    currency: task.currency,
    dueDate: task.collection_due_date,
    taskId: task.task_id,
  };
  return { workspaceName, compose: () => taskAssignedMail(told) };
}

/** Writes down how an attempt ended. */
export function settleTaskMail(core: Core, mail: ClaimedMail, outcome: MailOutcome): Promise<void> {
  const change =
    outcome.status === "retry"
      ? { next_attempt_at: outcome.at }
      : { status: outcome.status, ...(outcome.status === "sent" ? { sent_at: nowOf(core) } : {}) };
  return core.store.write(mail.tenant_id, (tx) => settleMail(tx, mail, change));
}

import type { Core } from "../gate/dependencies.ts";
import type { Message } from "../mail/message.ts";
import { type ClaimedMail, taskToTell } from "../mail/outgoing-queries.ts";
import { taskAssignedMail } from "../mail/task-assigned-mail.ts";

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

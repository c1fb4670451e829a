import type { Core } from "../gate/dependencies.ts";
import { known, type Message, message } from "../mail/message.ts";
import type { ClaimedMail } from "../mail/outgoing-queries.ts";
import { formatStored } from "../shared/money.ts";
import { type MailedTask, mailedTask } from "./queries.ts";

/** The mail with the task's current data; null when nobody needs it any more: the task has ended, or the member was removed. */
export async function readyTaskMail(
  core: Core,
  mail: ClaimedMail,
): Promise<{ workspaceName: string; compose(): Message } | null> {
  const task = await core.store.read(mail.tenant_id, (tx) => mailedTask(tx, mail.tenant_id, mail.subject_id));
  if (task === undefined || task.state !== "open" || task.assignee_email !== mail.recipient) return null;
  return { workspaceName: task.workspace_name, compose: () => taskAssignedMail(task) };
}

/** The mail about a new Payment Arrangement task to its assignee (service.md §3.4). */
export function taskAssignedMail(task: Omit<MailedTask, "state" | "assignee_email">): Message {
  const { workspace_name: workspaceName, invoice_number: invoiceNumber, currency } = task;
  const amount = formatStored(task.collection_outstanding, currency);
  const invoice = invoiceNumber === null ? "An invoice" : `Invoice ${invoiceNumber}`;
  return message(`${workspaceName}: ${invoice} waits for a payment arrangement`, {
    heading: `${invoice} waits for a payment arrangement`,
    paragraphs: [
      `It matched the Payment Arrangement workflow of ${workspaceName}, and the task is yours.`,
      "Set up its payment links, or dismiss the task. Until then Auto Generate creates no links for the invoice.",
    ],
    facts: known([
      ["Customer", task.customer_name],
      ["Outstanding", currency === null ? amount : `${amount} ${currency}`],
      ["Earliest due date", task.collection_due_date],
      ["Task", task.task_id],
    ]),
    closing: `Sent to you as a member of the workspace ${workspaceName}.`,
  });
}

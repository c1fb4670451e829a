import { workStep } from "../gate/work-step.ts";
import { formatMoney, money } from "../kernel/money.ts";
import { known, memberMail } from "../mail/message.ts";
import type { ClaimedMail } from "../mail/outgoing-queries.ts";
import { readableDate, readableMoney } from "../mail/readable.ts";
import { type MailedTask, mailedTask } from "./task-mail-queries.ts";

/** The mail with the task's current data; null when nobody needs it any more: the task has ended, or the member was removed. */
export const readyTaskMail = workStep({
  in: "workspace",
  async run({ tx, tenantId }, { subject_id, recipient }: ClaimedMail, publicOrigin: string) {
    const task = await mailedTask(tx, tenantId, subject_id);
    if (task === undefined || task.state !== "open" || task.assignee_email !== recipient) return null;
    const workspace = new URLSearchParams({ workspace: tenantId });
    return taskAssignedMail(task, `${publicOrigin}/tasks/${task.task_id}?${workspace}`);
  },
});

/** The mail about a new Payment Arrangement task to its assignee (service.md §3.4); `url` is the task's page. */
export function taskAssignedMail(
  task: Omit<MailedTask, "state" | "assignee_email" | "invoice_id" | "task_id">,
  url: string,
) {
  const { workspace_name: workspaceName, invoice_number: invoiceNumber, currency } = task;
  const amount = money(task.collection_outstanding);
  const invoice = invoiceNumber === null ? "An invoice" : `Invoice ${invoiceNumber}`;
  const due = task.collection_due_date;
  return memberMail(workspaceName, {
    subject: `${workspaceName}: ${invoice} needs a payment arrangement`,
    heading: `${invoice} needs a payment arrangement`,
    paragraphs: [
      `It matches the Payment Arrangement workflow of ${workspaceName}, and the task is assigned to you.`,
      "Set up its payment links, or dismiss the task. Until then Auto Generate creates no links for the invoice.",
    ],
    facts: known([
      ["Customer", task.customer_name],
      ["Outstanding", currency === null ? formatMoney(amount, currency) : readableMoney(amount, currency)],
      ["Earliest due date", due === null ? null : readableDate(due)],
    ]),
    action: { label: "Open the task", url },
    closing: `Sent to you as a member of the workspace ${workspaceName}.`,
  });
}

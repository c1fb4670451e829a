import { formatStored } from "../shared/money.ts";
import { known, type Message, message } from "./message.ts";

/** What the assignee of a Payment Arrangement task is told (service.md §3.4). */
export interface TaskAssignedMail {
  readonly workspaceName: string;
  readonly invoiceNumber: string | null;
  readonly customerName: string | null;
  /** Exact decimal in major units. */
  readonly outstanding: string;
  readonly currency: string | null;
  /** `YYYY-MM-DD`. */
  readonly dueDate: string | null;
  readonly taskId: string;
}

/** The mail that tells a member of a task of theirs. */
export function taskAssignedMail(mail: TaskAssignedMail): Message {
  const { workspaceName, invoiceNumber, customerName, currency, dueDate, taskId } = mail;
  const amount = formatStored(mail.outstanding, currency);
  const invoice = invoiceNumber === null ? "An invoice" : `Invoice ${invoiceNumber}`;
  return message(`${workspaceName}: ${invoice} waits for a payment arrangement`, {
    heading: `${invoice} waits for a payment arrangement`,
    paragraphs: [
      `It matched the Payment Arrangement workflow of ${workspaceName}, and the task is yours.`,
      "Set up its payment links, or dismiss the task. Until then Auto Generate creates no links for the invoice.",
    ],
    facts: known([
      ["Customer", customerName],
      ["Outstanding", currency === null ? amount : `${amount} ${currency}`],
      ["Earliest due date", dueDate],
      ["Task", taskId],
    ]),
    closing: `Sent to you as a member of the workspace ${workspaceName}.`,
  });
}

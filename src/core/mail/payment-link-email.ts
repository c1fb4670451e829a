import { formatMoney, type Money } from "../money.ts";
import { known, type Message, message } from "./message.ts";

/** What the customer is told of a payment link; all of it is the workspace's (completions §4). */
export interface PaymentLinkEmail {
  readonly workspaceName: string;
  readonly customerName: string | null;
  readonly invoiceNumber: string | null;
  readonly amount: Money;
  readonly currency: string;
  /** `YYYY-MM-DD`. */
  readonly dueDate: string | null;
  readonly url: string;
}

/** The email that brings a customer a payment link. Throws RangeError for a link that is no web address. */
export function paymentLinkEmail(email: PaymentLinkEmail): Message {
  const { workspaceName, customerName, invoiceNumber, dueDate, url } = email;
  const amount = `${formatMoney(email.amount, email.currency)} ${email.currency}`;
  return message(`${workspaceName}: payment of ${invoiceNumber === null ? amount : `invoice ${invoiceNumber}`}`, {
    heading: `${workspaceName} asks you for a payment`,
    paragraphs: [customerName === null ? "Hello," : `Hello ${customerName},`, "please pay the following amount."],
    facts: known([
      ["Invoice", invoiceNumber],
      ["Amount", amount],
      ["Due date", dueDate],
    ]),
    action: { label: `Pay ${amount}`, url },
    closing: `Sent on behalf of ${workspaceName}. If you have paid already, please disregard this message.`,
  });
}

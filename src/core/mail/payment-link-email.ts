import { type Money, ZERO } from "../shared/money.ts";
import { known, type Message, message } from "./message.ts";
import { readableDate, readableMoney } from "./readable.ts";

/** One link in an email to a customer. */
export interface MailedLink {
  readonly invoiceId: string;
  readonly invoiceNumber: string | null;
  readonly amount: Money;
  readonly currency: string;
  /** `YYYY-MM-DD`. */
  readonly dueDate: string | null;
  readonly url: string;
}

/** What a customer is told of their payment links; all of it is the workspace's (completions §4). */
export interface PaymentLinkEmail {
  readonly workspaceName: string;
  readonly customerName: string | null;
  /** One or more, in the order in which they are listed. */
  readonly links: readonly MailedLink[];
}

/** The email that brings a customer payment links. Throws RangeError for a link that is no web address. */
export function paymentLinkEmail(email: PaymentLinkEmail): Message {
  const { workspaceName, customerName, links } = email;
  const [link] = links;
  if (link === undefined) throw new RangeError("an email without a payment link");
  const greeting = customerName === null ? "Hello," : `Hello ${customerName},`;
  const body = links.length === 1 ? singleLink(link, greeting) : severalLinks(links, greeting);
  return message(`${workspaceName}: payment of ${subjectOf(links, link)}`, {
    heading: `Payment request from ${workspaceName}`,
    ...body,
    closing: `Sent on behalf of ${workspaceName}. If you have paid already, please disregard this message.`,
  });
}

function subjectOf(links: readonly MailedLink[], first: MailedLink): string {
  const invoices = new Set(links.map(({ invoiceId }) => invoiceId)).size;
  if (invoices > 1) return `${invoices} invoices`;
  if (first.invoiceNumber !== null) return `invoice ${first.invoiceNumber}`;
  return links.length === 1 ? readableMoney(first.amount, first.currency) : "an invoice";
}

function singleLink({ invoiceNumber, amount, currency, dueDate, url }: MailedLink, greeting: string) {
  const asked = readableMoney(amount, currency);
  return {
    paragraphs: [greeting, "Please pay the following amount."],
    facts: known([
      ["Invoice", invoiceNumber],
      ["Amount", asked],
      ["Due date", dueDate === null ? null : readableDate(dueDate)],
    ]),
    action: { label: `Pay ${asked}`, url },
  };
}

function severalLinks(links: readonly MailedLink[], greeting: string) {
  const totals = new Map<string, Money>();
  for (const { amount, currency } of links) totals.set(currency, (totals.get(currency) ?? ZERO).plus(amount));
  return {
    paragraphs: [greeting, `Please pay the following ${links.length} amounts. Each has its own payment link.`],
    items: {
      labels: { title: "Invoice", note: "Due date", amount: "Amount" },
      rows: links.map(({ invoiceNumber, amount, currency, dueDate, url }) => ({
        title: invoiceNumber ?? "–",
        note: dueDate === null ? null : readableDate(dueDate),
        amount: readableMoney(amount, currency),
        action: { label: "Pay", url },
      })),
      totals: [...totals]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([currency, total]) => ["Total", readableMoney(total, currency)] as const),
    },
  };
}

import type { Due, LinkMailWords } from "./link-mail-words.ts";

const named = (invoice: string | null): string => (invoice === null ? "our invoice" : `our invoice ${invoice}`);

function dueWords(due: Due): string {
  if (due.state === "later") return `due on ${due.date}`;
  if (due.state === "today") return "due today";
  return due.state === "overdue" ? `overdue since ${due.date}` : "";
}

export const en: LinkMailWords = {
  subjectOfOne: ({ invoice, sender, amount, due }) =>
    [`${invoice === null ? "Invoice" : `Invoice ${invoice}`} from ${sender}: ${amount}`, dueWords(due)]
      .filter(Boolean)
      .join(", "),
  subjectOfSeveral: ({ invoices, sender, isOverdue }) =>
    isOverdue ? `Payment reminder from ${sender}: ${invoices} open invoices` : `${invoices} invoices from ${sender}`,
  headingOfOne: (invoice) => (invoice === null ? "Your invoice" : `Invoice ${invoice}`),
  headingOfSeveral: (invoices) => `${invoices} open invoices`,
  greeting: "Hello,",
  askForOne: (invoice, due) => {
    if (due.state === "overdue")
      return `We have not yet received your payment for ${named(invoice)}, which was due on ${due.date}. Please pay it now; you can do so online.`;
    if (due.state === "open") return `You can pay ${named(invoice)} online.`;
    return `You can pay ${named(invoice)} online. It is ${dueWords(due)}.`;
  },
  askForSeveral: ({ links, isOverdue }) =>
    isOverdue
      ? `We have not yet received all of your payments. Please pay the ${links} amounts below; each has its own payment link.`
      : `You can pay the ${links} amounts below online; each has its own payment link.`,
  customer: "Customer",
  invoice: "Invoice",
  invoiceDate: "Invoice date",
  amountDue: "Amount due",
  invoiceTotal: "Invoice total",
  dueOn: "Due on",
  dueToday: "Due today",
  overdueSince: "Overdue since",
  dueNote: (due) => dueWords(due) || null,
  datedNote: (date) => `dated ${date}`,
  total: "Total",
  pay: (amount) => `Pay ${amount}`,
  payShort: "Pay",
  aboutLink: ({ name, host, isSandbox }, sender, links) =>
    isSandbox
      ? `The link leads to a test page at ${host}. No money moves there.`
      : `${links === 1 ? "The link leads" : "The links lead"} to a payment page of ${name} at ${host}. ${name} takes the payment for ${sender}; you enter your payment details only there, never in an email.`,
  alreadyPaid: (links) =>
    `If you have already paid ${links === 1 ? "this invoice" : "these invoices"}, please disregard this email.`,
  questions: ({ contact, replies, sender }) => {
    if (contact !== null)
      return replies
        ? `Any questions? Reply to this email or contact ${contact}.`
        : `Any questions? Please contact ${contact}.`;
    return replies ? "Any questions? Just reply to this email." : `Any questions? Please contact ${sender}.`;
  },
};

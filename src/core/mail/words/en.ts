import { type Due, ending, type LinkMailWords } from "./link-mail-words.ts";

const named = (invoice: string | null, our = "our"): string => [our, "invoice", invoice].filter(Boolean).join(" ");

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
      return `We have not yet received your payment for ${named(invoice)}, which was due on ${due.date}. Please pay the outstanding amount as soon as possible; the easiest way is online.`;
    if (due.state === "open") return `You can pay ${named(invoice)} online.`;
    return `${named(invoice, "Our")} is ${dueWords(due)}. You can pay it online.`;
  },
  askForSeveral: ({ links, overdue }) => {
    if (overdue === 0) return `You can pay the ${links} amounts below online. Each has its own payment link.`;
    if (overdue === links)
      return `The ${links} amounts below are overdue, and we have not yet received your payment. Please pay them as soon as possible; each has its own payment link.`;
    const [which, them] =
      overdue === 1 ? ["One of the amounts below is", "it"] : [`${overdue} of the amounts below are`, "them"];
    return `${which} overdue, and we have not yet received your payment. Please pay ${them} as soon as possible. You can pay the ${links - overdue === 1 ? "other" : "others"} online as well; each amount has its own payment link.`;
  },
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
      ? `${links === 1 ? "The link leads" : "The links lead"} to a test page (${host}). No money moves there.`
      : `${links === 1 ? "The link leads" : "The links lead"} to a payment page run by ${name} (${host}). ${name} takes the payment on behalf of ${sender}; enter your payment details only there, never in an email.`,
  alreadyPaid: (links) =>
    links === 1
      ? "If you have already paid, please disregard this email."
      : "If you have already paid one of these amounts, please disregard it.",
  questions: ({ contact, replies, sender }) => {
    if (contact !== null)
      return replies
        ? `Any questions? Reply to this email or contact ${ending(contact)}`
        : `Any questions? Please contact ${ending(contact)}`;
    return replies ? "Any questions? Just reply to this email." : `Any questions? Please contact ${ending(sender)}`;
  },
};

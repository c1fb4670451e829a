import { type Due, ending, type LinkMailWords } from "./link-mail-words.ts";

const named = (invoice: string | null): string => (invoice === null ? "unsere Rechnung" : `unsere Rechnung ${invoice}`);

function dueWords(due: Due): string {
  if (due.state === "later") return `fällig am ${due.date}`;
  if (due.state === "today") return "heute fällig";
  return due.state === "overdue" ? `überfällig seit dem ${due.date}` : "";
}

export const de: LinkMailWords = {
  subjectOfOne: ({ invoice, sender, amount, due }) =>
    [`${invoice === null ? "Rechnung" : `Rechnung ${invoice}`} von ${sender} über ${amount}`, dueWords(due)]
      .filter(Boolean)
      .join(", "),
  subjectOfSeveral: ({ invoices, sender, isOverdue }) =>
    isOverdue
      ? `Zahlungserinnerung von ${sender}: ${invoices} offene Rechnungen`
      : `${invoices} Rechnungen von ${sender}`,
  headingOfOne: (invoice) => (invoice === null ? "Ihre Rechnung" : `Rechnung ${invoice}`),
  headingOfSeveral: (invoices) => `${invoices} offene Rechnungen`,
  greeting: "Guten Tag,",
  askForOne: (invoice, due) => {
    if (due.state === "overdue")
      return `für ${named(invoice)}, die am ${due.date} fällig war, konnten wir noch keinen Zahlungseingang feststellen. Bitte begleichen Sie den offenen Betrag möglichst bald, am einfachsten online.`;
    if (due.state === "today") return `${named(invoice)} ist heute fällig. Sie können sie bequem online bezahlen.`;
    if (due.state === "later")
      return `${named(invoice)} ist am ${due.date} fällig. Sie können sie bequem online bezahlen.`;
    return `${named(invoice)} können Sie bequem online bezahlen.`;
  },
  askForSeveral: ({ links, overdue }) => {
    if (overdue === 0)
      return `die folgenden ${links} Beträge können Sie bequem online bezahlen; zu jedem gibt es einen eigenen Zahlungslink.`;
    if (overdue === links)
      return `die folgenden ${links} Beträge sind überfällig, und wir konnten noch keinen Zahlungseingang feststellen. Bitte begleichen Sie sie möglichst bald; zu jedem gibt es einen eigenen Zahlungslink.`;
    const [which, them] =
      overdue === 1 ? ["einer der folgenden Beträge ist", "ihn"] : [`${overdue} der folgenden Beträge sind`, "sie"];
    const others = links - overdue === 1 ? "den anderen Betrag" : "die anderen Beträge";
    return `${which} überfällig, und wir konnten dafür noch keinen Zahlungseingang feststellen. Bitte begleichen Sie ${them} möglichst bald. Auch ${others} können Sie online bezahlen; zu jedem Betrag gibt es einen eigenen Zahlungslink.`;
  },
  customer: "Kunde",
  invoice: "Rechnung",
  invoiceDate: "Rechnungsdatum",
  amountDue: "Offener Betrag",
  invoiceTotal: "Rechnungsbetrag",
  dueOn: "Fällig am",
  dueToday: "Heute fällig",
  overdueSince: "Überfällig seit",
  dueNote: (due) => dueWords(due) || null,
  datedNote: (date) => `vom ${date}`,
  total: "Summe",
  pay: (amount) => `${amount} bezahlen`,
  payShort: "Bezahlen",
  aboutLink: ({ name, host, isSandbox }, sender, links) =>
    isSandbox
      ? `${links === 1 ? "Der Link führt" : "Die Links führen"} zu einer Testseite (${host}). Dort wird kein Geld bewegt.`
      : `${links === 1 ? "Der Link führt" : "Die Links führen"} zu einer Zahlungsseite von ${name} (${host}). ${name} nimmt die Zahlung für ${sender} entgegen; Ihre Zahlungsdaten geben Sie nur dort ein, niemals in einer E-Mail.`,
  alreadyPaid: (links) =>
    links === 1
      ? "Falls Sie bereits bezahlt haben, betrachten Sie diese E-Mail bitte als gegenstandslos."
      : "Was Sie bereits bezahlt haben, betrachten Sie bitte als erledigt.",
  questions: ({ contact, replies, sender }) => {
    if (contact !== null)
      return replies
        ? `Haben Sie Fragen? Antworten Sie auf diese E-Mail oder wenden Sie sich an: ${ending(contact)}`
        : `Haben Sie Fragen? Wenden Sie sich gerne an: ${ending(contact)}`;
    return replies
      ? "Haben Sie Fragen? Antworten Sie einfach auf diese E-Mail."
      : `Haben Sie Fragen? Wenden Sie sich gerne an ${ending(sender)}`;
  },
};

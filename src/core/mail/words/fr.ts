import { capital } from "../../kernel/text.ts";
import { type Due, ending, type LinkMailWords } from "./link-mail-words.ts";

const named = (invoice: string | null): string => (invoice === null ? "notre facture" : `notre facture ${invoice}`);

function dueWords(due: Due): string {
  if (due.state === "later") return `à régler au plus tard le ${due.date}`;
  if (due.state === "today") return "à régler aujourd’hui";
  return due.state === "overdue" ? `échue depuis le ${due.date}` : "";
}

export const fr: LinkMailWords = {
  subjectOfOne: ({ invoice, sender, amount, due }) =>
    [`${invoice === null ? "Facture" : `Facture ${invoice}`} de ${sender} : ${amount}`, dueWords(due)]
      .filter(Boolean)
      .join(", "),
  subjectOfSeveral: ({ invoices, sender, isOverdue }) =>
    isOverdue ? `Rappel de ${sender} : ${invoices} factures à régler` : `${invoices} factures de ${sender}`,
  headingOfOne: (invoice) => (invoice === null ? "Votre facture" : `Facture ${invoice}`),
  headingOfSeveral: (invoices) => `${invoices} factures à régler`,
  greeting: "Bonjour,",
  askForOne: (invoice, due) => {
    if (due.state === "overdue")
      return `Sauf erreur de notre part, ${named(invoice)}, échue le ${due.date}, n’a pas encore été réglée. Nous vous remercions de bien vouloir procéder à son règlement dans les meilleurs délais ; vous pouvez le faire en ligne.`;
    if (due.state === "today")
      return `${capital(named(invoice))} arrive à échéance aujourd’hui. Vous pouvez la régler en ligne.`;
    if (due.state === "later")
      return `${capital(named(invoice))} arrive à échéance le ${due.date}. Vous pouvez la régler en ligne.`;
    return `Vous pouvez régler ${named(invoice)} en ligne.`;
  },
  askForSeveral: ({ links, overdue }) => {
    if (overdue === 0)
      return `Vous pouvez régler en ligne les ${links} montants ci-dessous ; chacun a son propre lien de paiement.`;
    if (overdue === links)
      return `Sauf erreur de notre part, les ${links} montants ci-dessous sont échus et n’ont pas encore été réglés. Nous vous remercions de bien vouloir procéder à leur règlement dans les meilleurs délais ; chacun a son propre lien de paiement.`;
    const [which, their] =
      overdue === 1
        ? ["l’un des montants ci-dessous est échu et n’a pas encore été réglé", "son"]
        : [`${overdue} des montants ci-dessous sont échus et n’ont pas encore été réglés`, "leur"];
    return `Sauf erreur de notre part, ${which}. Nous vous remercions de bien vouloir procéder à ${their} règlement dans les meilleurs délais. Vous pouvez également régler ${links - overdue === 1 ? "l’autre" : "les autres"} en ligne ; chaque montant a son propre lien de paiement.`;
  },
  customer: "Client",
  invoice: "Facture",
  invoiceDate: "Date de facture",
  amountDue: "Montant à payer",
  invoiceTotal: "Total de la facture",
  dueOn: "Échéance",
  dueToday: "Échéance (aujourd’hui)",
  overdueSince: "Échue depuis le",
  dueNote: (due) => (due.state === "later" ? `échéance le ${due.date}` : dueWords(due) || null),
  datedNote: (date) => `du ${date}`,
  total: "Total",
  pay: (amount) => `Payer ${amount}`,
  payShort: "Payer",
  aboutLink: ({ name, host, isSandbox }, sender, links) =>
    isSandbox
      ? `${links === 1 ? "Le lien mène" : "Les liens mènent"} à une page de test (${host}). Aucun argent n’y circule.`
      : `${links === 1 ? "Le lien mène" : "Les liens mènent"} à une page de paiement de ${name} (${host}). ${name} encaisse le paiement pour le compte de ${sender} ; vos coordonnées bancaires ne vous sont demandées que sur cette page, jamais par courrier électronique.`,
  alreadyPaid: (links) =>
    links === 1
      ? "Si vous avez déjà effectué ce règlement, merci de ne pas tenir compte de ce message."
      : "Si vous avez déjà réglé l’un de ces montants, merci de ne pas en tenir compte.",
  questions: ({ contact, replies, sender }) => {
    if (contact !== null)
      return replies
        ? `Une question ? Répondez à ce message ou contactez : ${ending(contact)}`
        : `Une question ? Contactez : ${ending(contact)}`;
    return replies ? "Une question ? Répondez simplement à ce message." : `Une question ? Contactez ${ending(sender)}`;
  },
};

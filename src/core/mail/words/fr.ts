import type { Due, LinkMailWords } from "./link-mail-words.ts";

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
      return `Sauf erreur de notre part, ${named(invoice)}, échue le ${due.date}, n’a pas encore été réglée. Nous vous remercions de procéder au paiement, que vous pouvez effectuer en ligne.`;
    if (due.state === "today")
      return `${capital(named(invoice))} arrive à échéance aujourd’hui. Vous pouvez la régler en ligne.`;
    if (due.state === "later")
      return `${capital(named(invoice))} arrive à échéance le ${due.date}. Vous pouvez la régler en ligne.`;
    return `Vous pouvez régler ${named(invoice)} en ligne.`;
  },
  askForSeveral: ({ links, isOverdue }) =>
    isOverdue
      ? `Sauf erreur de notre part, certaines de nos factures n’ont pas encore été réglées. Vous pouvez payer en ligne les ${links} montants ci-dessous, chacun avec son propre lien de paiement.`
      : `Vous pouvez payer en ligne les ${links} montants ci-dessous, chacun avec son propre lien de paiement.`,
  customer: "Client",
  invoice: "Facture",
  invoiceDate: "Date de facture",
  amountDue: "Montant à payer",
  invoiceTotal: "Total de la facture",
  dueOn: "Échéance",
  dueToday: "Échéance aujourd’hui",
  overdueSince: "Échue depuis le",
  dueNote: (due) => (due.state === "later" ? `échéance le ${due.date}` : dueWords(due) || null),
  datedNote: (date) => `du ${date}`,
  total: "Total",
  pay: (amount) => `Payer ${amount}`,
  payShort: "Payer",
  aboutLink: ({ name, host, isSandbox }, sender, links) =>
    isSandbox
      ? `Le lien mène à une page de test sur ${host}. Aucun argent n’y circule.`
      : `${links === 1 ? "Le lien mène" : "Les liens mènent"} à une page de paiement de ${name} sur ${host}. ${name} encaisse le paiement pour le compte de ${sender} ; vos coordonnées de paiement ne vous sont demandées que sur cette page, jamais par e-mail.`,
  alreadyPaid: (links) =>
    links === 1
      ? "Si vous avez déjà réglé cette facture, merci de ne pas tenir compte de cet e-mail."
      : "Si vous avez déjà réglé ces factures, merci de ne pas tenir compte de cet e-mail.",
  questions: ({ contact, replies, sender }) => {
    if (contact !== null)
      return replies
        ? `Une question ? Répondez à cet e-mail ou contactez : ${contact}.`
        : `Une question ? Contactez : ${contact}.`;
    return replies ? "Une question ? Répondez simplement à cet e-mail." : `Une question ? Contactez ${sender}.`;
  },
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

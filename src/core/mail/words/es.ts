import type { Due, LinkMailWords } from "./link-mail-words.ts";

const named = (invoice: string | null): string => (invoice === null ? "nuestra factura" : `nuestra factura ${invoice}`);

function dueWords(due: Due): string {
  if (due.state === "later") return `vence el ${due.date}`;
  if (due.state === "today") return "vence hoy";
  return due.state === "overdue" ? `vencida desde el ${due.date}` : "";
}

export const es: LinkMailWords = {
  subjectOfOne: ({ invoice, sender, amount, due }) =>
    [`${invoice === null ? "Factura" : `Factura ${invoice}`} de ${sender}: ${amount}`, dueWords(due)]
      .filter(Boolean)
      .join(", "),
  subjectOfSeveral: ({ invoices, sender, isOverdue }) =>
    isOverdue
      ? `Recordatorio de pago de ${sender}: ${invoices} facturas pendientes`
      : `${invoices} facturas de ${sender}`,
  headingOfOne: (invoice) => (invoice === null ? "Su factura" : `Factura ${invoice}`),
  headingOfSeveral: (invoices) => `${invoices} facturas pendientes`,
  greeting: "Buenos días:",
  askForOne: (invoice, due) => {
    if (due.state === "overdue")
      return `Todavía no nos consta el pago de ${named(invoice)}, que venció el ${due.date}. Le rogamos que abone el importe pendiente; puede hacerlo en línea.`;
    if (due.state === "today") return `Hoy vence ${named(invoice)}. Puede pagarla en línea.`;
    if (due.state === "later") return `El ${due.date} vence ${named(invoice)}. Puede pagarla en línea.`;
    return `Puede pagar ${named(invoice)} en línea.`;
  },
  askForSeveral: ({ links, isOverdue }) =>
    isOverdue
      ? `Todavía no nos consta el pago de algunas de nuestras facturas. Le rogamos que abone los ${links} importes siguientes; cada uno tiene su propio enlace de pago.`
      : `Puede pagar en línea los ${links} importes siguientes; cada uno tiene su propio enlace de pago.`,
  customer: "Cliente",
  invoice: "Factura",
  invoiceDate: "Fecha de la factura",
  amountDue: "Importe pendiente",
  invoiceTotal: "Total de la factura",
  dueOn: "Vence el",
  dueToday: "Vence hoy",
  overdueSince: "Vencida desde el",
  dueNote: (due) => dueWords(due) || null,
  datedNote: (date) => `del ${date}`,
  total: "Total",
  pay: (amount) => `Pagar ${amount}`,
  payShort: "Pagar",
  aboutLink: ({ name, host, isSandbox }, sender, links) =>
    isSandbox
      ? `El enlace lleva a una página de prueba en ${host}. Allí no se mueve dinero.`
      : `${links === 1 ? "El enlace lleva" : "Los enlaces llevan"} a una página de pago de ${name} en ${host}. ${name} cobra el pago por cuenta de ${sender}; sus datos de pago se le piden solo en esa página, nunca por correo electrónico.`,
  alreadyPaid: (links) =>
    links === 1
      ? "Si ya ha pagado esta factura, no tenga en cuenta este correo."
      : "Si ya ha pagado estas facturas, no tenga en cuenta este correo.",
  questions: ({ contact, replies, sender }) => {
    if (contact !== null)
      return replies
        ? `¿Tiene alguna pregunta? Responda a este correo o diríjase a: ${contact}.`
        : `¿Tiene alguna pregunta? Diríjase a: ${contact}.`;
    return replies
      ? "¿Tiene alguna pregunta? Responda a este correo."
      : `¿Tiene alguna pregunta? Diríjase a ${sender}.`;
  },
};

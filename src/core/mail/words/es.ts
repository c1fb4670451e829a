import { type Due, ending, type LinkMailWords } from "./link-mail-words.ts";

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
  greeting: "Estimado cliente:",
  askForOne: (invoice, due) => {
    if (due.state === "overdue")
      return `Todavía no nos consta el pago de ${named(invoice)}, que venció el ${due.date}. Le rogamos que efectúe el pago lo antes posible; puede hacerlo en línea.`;
    if (due.state === "today") return `Hoy vence ${named(invoice)}. Puede pagarla en línea.`;
    if (due.state === "later") return `El ${due.date} vence ${named(invoice)}. Puede pagarla en línea.`;
    return `Puede pagar ${named(invoice)} en línea.`;
  },
  askForSeveral: ({ links, overdue }) => {
    if (overdue === 0)
      return `Puede pagar en línea los ${links} importes siguientes; cada uno tiene su propio enlace de pago.`;
    if (overdue === links)
      return `Los ${links} importes siguientes ya han vencido y todavía no nos consta su pago. Le rogamos que los pague lo antes posible; cada uno tiene su propio enlace de pago.`;
    const [which, them] =
      overdue === 1
        ? ["Uno de los importes siguientes ya ha vencido", "lo"]
        : [`${overdue} de los importes siguientes ya han vencido`, "los"];
    const others = links - overdue === 1 ? "El otro también puede pagarlo" : "Los demás también puede pagarlos";
    return `${which} y todavía no nos consta su pago. Le rogamos que ${them} pague lo antes posible. ${others} en línea; cada importe tiene su propio enlace de pago.`;
  },
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
      ? `${links === 1 ? "El enlace lleva" : "Los enlaces llevan"} a una página de prueba (${host}). Allí no se mueve dinero.`
      : `${links === 1 ? "El enlace lleva" : "Los enlaces llevan"} a una página de pago de ${name} (${host}). ${name} gestiona el cobro en nombre de ${sender}; introduzca sus datos de pago solo en esa página, nunca en un correo electrónico.`,
  alreadyPaid: (links) =>
    links === 1
      ? "Si ya ha efectuado el pago, no tenga en cuenta este correo."
      : "Si ya ha pagado alguno de estos importes, no lo tenga en cuenta.",
  questions: ({ contact, replies, sender }) => {
    if (contact !== null)
      return replies
        ? `¿Tiene alguna pregunta? Responda a este correo o diríjase a: ${ending(contact)}`
        : `¿Tiene alguna pregunta? Diríjase a: ${ending(contact)}`;
    return replies
      ? "¿Tiene alguna pregunta? Responda a este correo."
      : `¿Tiene alguna pregunta? Diríjase a ${ending(sender)}`;
  },
};

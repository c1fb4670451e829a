import { amountFaults, MAX_INSTALLMENTS } from "../../core/invoices/local-invoice.ts";
import { createLocalInvoice } from "../../core/invoices/operations/create-local-invoice.ts";
import { editLocalInvoice } from "../../core/invoices/operations/edit-local-invoice.ts";
import { minorDigits } from "../../core/kernel/currencies.ts";
import { type ErrorDetail, ServiceError } from "../../core/kernel/error.ts";
import { money, sum } from "../../core/kernel/money.ts";
import { type Html, hidden, html, type Inserted, input, muted, paragraph, unseen } from "../kit/markup.ts";
import { type FieldWords, Form, GIVE_A_DATE, sentence, type Visit, type WorkspaceVisit } from "../kit/page.ts";
import type { InvoiceDetail } from "../receivables/invoice-list.ts";
import { GIVE_AN_AMOUNT, typedAmount } from "./amounts.ts";

/** An installment as it was typed. */
interface TypedRow {
  readonly due: string;
  readonly amount: string;
}

const NEW_ROW: TypedRow = { due: "", amount: "" };

const FIELDS: Record<string, FieldWords> = {
  number: { label: "Invoice number", attributes: html`maxlength="100" autocomplete="off"` },
  invoiceDate: { label: "Invoice date" },
  customerName: { label: "Customer", attributes: html`maxlength="360" autocomplete="off"` },
  customerEmail: {
    label: "Billing email",
    hint: "Without one nothing can be collected.",
    type: "email",
    attributes: html`maxlength="320" autocomplete="off"`,
  },
  currency: {
    label: "Currency",
    hint: "Its code, such as EUR.",
    attributes: html`maxlength="3" size="3" autocomplete="off" autocapitalize="characters" spellcheck="false"`,
    read: (typed) => typed.trim().toUpperCase(),
    say(message, typed) {
      const code = typed.trim().toUpperCase();
      if (code === "") return "Give a currency, such as EUR.";
      if (minorDigits(code) !== undefined) return sentence(message);
      return `${code} is no currency of ISO 4217. Give a code such as EUR.`;
    },
  },
  installments: { label: "Installments", type: "page" },
  confirmed: { label: "I checked this: it is right", type: "asked" },
};

export const CREATE_INVOICE = new Form(createLocalInvoice, FIELDS, "The invoice was not created.");
export const EDIT_INVOICE = new Form(editLocalInvoice, FIELDS, "The invoice was not changed.");

/** What there is of an invoice, as its form shows it. */
export function formOfInvoice(invoice: InvoiceDetail) {
  const { invoice_number: number, currency, invoice_date: invoiceDate, customer } = invoice;
  const rows = invoice.installments
    .filter((part) => part.not_collectible_reason !== "removed")
    .map((part) => ({ due: part.due_date ?? "", amount: part.original_amount ?? "" }));
  return {
    now: { number, currency, invoiceDate, customerName: customer.name, customerEmail: customer.email },
    rows: rows.length > 0 ? rows : [{ due: invoice.due_date ?? "", amount: invoice.total_amount ?? "" }],
    version: invoice.updated_at,
  };
}

/** The installments that were typed; of more than an invoice can have one, so that they are refused. */
function typedRows(visit: Visit) {
  const [dues, amounts] = [visit.fields("due"), visit.fields("amount")];
  const typed = Math.min(MAX_INSTALLMENTS + 1, Math.max(1, dues.length, amounts.length));
  return Array.from({ length: typed }, (_, index) => ({
    due: dues[index]?.trim() ?? "",
    amount: amounts[index]?.trim() ?? "",
  }));
}

/** The same with a row more, or with one less; null where another button was pressed. */
export function rearrangedRows(visit: Visit) {
  const [act, index] = visit.field("rows").split("-");
  const rows = typedRows(visit);
  if (act === "add") return [...rows, NEW_ROW].slice(0, MAX_INSTALLMENTS);
  if (act !== "remove") return null;
  return rows.length === 1 ? [NEW_ROW] : rows.toSpliced(Number(index), 1);
}

/** What the installments make of an invoice: it comes to their sum, and is due when the last of them is. */
function inputOf(rows: readonly TypedRow[]) {
  const installments = rows.map(({ due, amount }) => ({ dueDate: due || null, amount: typedAmount(amount) ?? amount }));
  const amounts = rows.flatMap(({ amount }) => typedAmount(amount) ?? []);
  const last = rows
    .map(({ due }) => due)
    .sort()
    .at(-1);
  return { amount: sum(amounts.map(money)).toFixed(), dueDate: last || null, installments };
}

/** Sends the form of an invoice; a refusal says all that is wrong with it at once. Throws what the operation throws. */
export async function sendInvoice(
  form: typeof CREATE_INVOICE | typeof EDIT_INVOICE,
  visit: WorkspaceVisit,
  more: object,
) {
  const given = inputOf(typedRows(visit));
  try {
    return await form.send(visit, { ...more, ...given }, { once: true });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "validation_failed") throw error;
    const currency = visit.field("currency").trim().toUpperCase();
    const details = [...(error.details ?? []), ...amountFaults({ currency, ...given })];
    throw new ServiceError(error.code, error.message, { details });
  }
}

interface InvoiceForm {
  readonly path: string;
  /** Its name, and the word on its button. */
  readonly name: string;
  readonly button: string;
  /** Where to go without sending it. */
  readonly back: string;
  /** What there is of an invoice, and when it had last changed. */
  readonly now?: Readonly<Record<string, unknown>>;
  readonly version?: string;
  readonly rows?: readonly TypedRow[];
}

/** The form of an invoice made in the service. */
export function invoiceForm(
  visit: WorkspaceVisit,
  form: typeof CREATE_INVOICE | typeof EDIT_INVOICE,
  { path, name, button, back, now = {}, version = "", rows: stored = [NEW_ROW] }: InvoiceForm,
) {
  const rearranged = rearrangedRows(visit);
  const refusal = visit.refusedAt(path);
  const isTyped = refusal !== null || rearranged !== null;
  const rows = rearranged ?? (isTyped ? typedRows(visit) : stored);
  const faults = new Map(refusal?.details?.toReversed().map((fault) => [fault.field, fault]));
  return form.view(visit, {
    ...{ path, button, label: name, look: "card invoice", grid: "pair", now, isTyped, novalidate: true, once: true },
    head: html`${hidden("version", isTyped ? visit.field("version") : version)}
<button class="unseen" tabindex="-1" aria-hidden="true">${button}</button>`,
    foot: html`<fieldset><legend>Installments</legend>${muted("Their sum is the total of the invoice.")}
${rows.map((row, index) => rowView(row, index, { faults, isOnly: rows.length === 1 }))}
${rows.length < MAX_INSTALLMENTS && paragraph(rowButton("add", "Add an installment"))}</fieldset>`,
    acts: visit.link(back, "Cancel"),
  });
}

const rowButton = (act: string, words: Inserted) =>
  html`<button class="plain small" name="rows" value="${act}">${words}</button>`;

function rowView(
  { due, amount }: TypedRow,
  index: number,
  { faults, isOnly }: { faults: ReadonlyMap<string, ErrorDetail>; isOnly: boolean },
) {
  const place = unseen(` installment ${index + 1}`);
  const said = (part: string) => faults.get(`installments[${index}].${part}`);
  const field = (label: string, problem: string | undefined, attributes: Html) => {
    const name = label.toLowerCase();
    const whole = [label, unseen(` of installment ${index + 1}`)];
    return html`<div>${input({ id: `${name}-${index}`, name, label: whole, problem }, attributes)}</div>`;
  };
  const wrong = said("amount");
  return html`<div class="installment"><span class="quiet number">${index + 1}</span>
${field("Due", said("dueDate") && GIVE_A_DATE, html`type="date" value="${due}"`)}
${field(
  "Amount",
  wrong && sayAmount(wrong, amount),
  html`value="${amount}" inputmode="decimal" maxlength="60" autocomplete="off"`,
)}
${!isOnly && rowButton(`remove-${index}`, ["Remove", place])}</div>`;
}

function sayAmount({ code, message }: ErrorDetail, typed: string) {
  return code === "decimals" && typed !== "" ? sentence(message) : GIVE_AN_AMOUNT;
}

import type { z } from "zod";
import { amountFaults, MAX_INSTALLMENTS } from "../../core/invoices/local-invoice.ts";
import type { createLocalInvoice } from "../../core/invoices/operations/create-local-invoice.ts";
import type { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import type { ErrorDetail } from "../../core/kernel/error.ts";
import { money, sum } from "../../core/kernel/money.ts";
import type { Refusal } from "../kit/acts.ts";
import type { Visit } from "../kit/signed-in.ts";
import { typedAmount } from "./amounts.ts";

/** Installments that the form has room for: as many as an invoice takes. */
export const MAX_ROWS = MAX_INSTALLMENTS;

/** An installment as it was typed. */
export interface TypedRow {
  readonly due: string;
  readonly amount: string;
}

/** The form as it was typed. */
export interface TypedInvoice {
  /** When the invoice that is edited had last changed, as it was shown; empty for a new one. */
  readonly version: string;
  readonly number: string;
  readonly currency: string;
  readonly invoiceDate: string;
  readonly customerName: string;
  readonly customerEmail: string;
  readonly rows: readonly TypedRow[];
  /** Whether what is asked about was ticked. */
  readonly confirmed: boolean;
}

/** An empty form. */
export const NEW_INVOICE: TypedInvoice = {
  version: "",
  number: "",
  currency: "",
  invoiceDate: "",
  customerName: "",
  customerEmail: "",
  rows: [{ due: "", amount: "" }],
  confirmed: false,
};

/** The form of an invoice that there is. */
export function formOf(invoice: z.output<typeof getInvoice.output>): TypedInvoice {
  const parts = invoice.installments.filter((part) => part.not_collectible_reason !== "removed");
  const rows = parts.map((part) => ({ due: part.due_date ?? "", amount: part.original_amount ?? "" }));
  return {
    version: invoice.updated_at,
    number: invoice.invoice_number ?? "",
    currency: invoice.currency ?? "",
    invoiceDate: invoice.invoice_date ?? "",
    customerName: invoice.customer.name ?? "",
    customerEmail: invoice.customer.email ?? "",
    rows: rows.length > 0 ? rows : [{ due: invoice.due_date ?? "", amount: invoice.total_amount ?? "" }],
    confirmed: false,
  };
}

/** Reads a submitted form. */
export function readInvoiceForm(visit: Visit): TypedInvoice {
  const [dues, amounts] = [visit.fields("due"), visit.fields("amount")];
  const count = Math.max(1, dues.length, amounts.length);
  const text = (name: string): string => visit.field(name).trim();
  return {
    version: text("version"),
    number: text("number"),
    currency: text("currency").toUpperCase(),
    invoiceDate: text("invoice_date"),
    customerName: text("customer_name"),
    customerEmail: text("customer_email"),
    rows: Array.from({ length: count }, (_, index) => ({
      due: (dues[index] ?? "").trim(),
      amount: (amounts[index] ?? "").trim(),
    })),
    confirmed: visit.field("confirmed") === "on",
  };
}

/** The form with a row more, or with one less; null for any other button. */
export function withRows(form: TypedInvoice, button: string): TypedInvoice | null {
  if (button === "add")
    return form.rows.length < MAX_ROWS ? { ...form, rows: [...form.rows, { due: "", amount: "" }] } : form;
  const [, index] = /^remove-(\d+)$/.exec(button) ?? [];
  if (index === undefined) return null;
  const rows = form.rows.filter((_, at) => at !== Number(index));
  return { ...form, rows: rows.length === 0 ? [{ due: "", amount: "" }] : rows };
}

const orNull = (text: string): string | null => (text === "" ? null : text);

/** What the form asks for. The invoice comes to what its installments do, and is due when the last of them is. */
export function inputOf(form: TypedInvoice): z.input<typeof createLocalInvoice.input> {
  const installments = form.rows.map(({ due, amount }) => ({
    dueDate: orNull(due),
    amount: typedAmount(amount) ?? amount,
  }));
  const amounts = form.rows.map(({ amount }) => typedAmount(amount)).filter((amount) => amount !== null);
  return {
    number: form.number,
    currency: form.currency,
    amount: sum(amounts.map(money)).toFixed(),
    invoiceDate: orNull(form.invoiceDate),
    dueDate: orNull(
      form.rows
        .map(({ due }) => due)
        .sort()
        .at(-1) ?? "",
    ),
    customerName: form.customerName,
    customerEmail: orNull(form.customerEmail),
    installments,
    confirmed: form.confirmed,
  };
}

/** The problem at each field of the form, by its name: of a row, `due-2` and `amount-2`. */
export type Problems = ReadonlyMap<string, string>;

const FIELDS: Readonly<Record<string, string>> = {
  number: "number",
  currency: "currency",
  invoiceDate: "invoice_date",
  customerName: "customer_name",
  customerEmail: "customer_email",
  confirmed: "confirmed",
};

/** All that is wrong with a form, at once: what its refusal says, and with its amounts where that says nothing of them. */
export function problemsOf(form: TypedInvoice, { details }: Pick<Refusal, "details">): Problems {
  const problems = new Map<string, string>();
  const { currency, amount, installments = [] } = inputOf(form);
  for (const detail of [...details, ...amountFaults({ currency, amount, installments })]) {
    const [, index, part] = /^installments\[(\d+)\]\.(dueDate|amount)$/.exec(detail.field) ?? [];
    const name = index === undefined ? FIELDS[detail.field] : `${part === "dueDate" ? "due" : "amount"}-${index}`;
    if (name !== undefined && !problems.has(name)) problems.set(name, wordsOf(name, detail, form));
  }
  return problems;
}

function wordsOf(name: string, { message, code }: ErrorDetail, form: TypedInvoice): string {
  if (name === "currency")
    return form.currency === ""
      ? "Give a currency, such as EUR."
      : `${form.currency} is no currency of ISO 4217. Give a code such as EUR.`;
  if (name.startsWith("amount-")) {
    const typed = form.rows[Number(name.slice("amount-".length))]?.amount ?? "";
    if (typed === "") return "Give an amount.";
    if (code === "decimals") return `It ${message}.`;
    return "Give an amount above zero, such as 1250.50.";
  }
  if (name.startsWith("due-") || name === "invoice_date") return "Give a day that exists, such as 2026-11-30.";
  if (name === "confirmed") return `${message}.`;
  return `It ${message}.`;
}

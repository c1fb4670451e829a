import { z } from "zod";
import { LocalInvoiceInput } from "../../core/invoices/local-invoice.ts";
import { createLocalInvoice } from "../../core/invoices/operations/create-local-invoice.ts";
import { editLocalInvoice } from "../../core/invoices/operations/edit-local-invoice.ts";
import { SettledInput, settleLocalInvoice } from "../../core/invoices/operations/settle-local-invoice.ts";
import { voidLocalInvoice } from "../../core/invoices/operations/void-local-invoice.ts";
import { Uuid } from "../../core/kernel/wire-types.ts";
import { type Command, option, toggle, workspaceCommand } from "../command.ts";

/** `2026-04-30:1250.50`; without a date before the colon, one that has no due date. */
const Installment = z
  .string()
  .regex(/^[^:]*:[^:]+$/, "must be DUE:AMOUNT, such as 2026-04-30:1250.50")
  .transform((text) => {
    const [due = "", amount = ""] = text.split(":");
    return { dueDate: due === "" ? null : due, amount };
  })
  .pipe(LocalInvoiceInput.installments.element);

const InvoiceOption = option(Uuid, "ID", "the invoice");

const OPTIONS = z.strictObject({
  number: option(LocalInvoiceInput.number, "NUMBER", "invoice number"),
  currency: option(LocalInvoiceInput.currency, "CODE", "ISO 4217 code"),
  amount: option(LocalInvoiceInput.amount, "AMOUNT", "exact amount, such as 1250.50"),
  invoiceDate: option(LocalInvoiceInput.invoiceDate.optional(), "DATE", "YYYY-MM-DD"),
  dueDate: option(LocalInvoiceInput.dueDate.optional(), "DATE", "YYYY-MM-DD"),
  customerName: option(LocalInvoiceInput.customerName, "NAME", "who is billed"),
  customerEmail: option(LocalInvoiceInput.customerEmail.optional(), "EMAIL", "billing email"),
  installment: option(
    z.array(Installment).optional(),
    "DUE:AMOUNT",
    "one installment; repeat it, all together make up the amount. None: the invoice is one",
    { repeatable: true },
  ),
  confirmed: toggle("take a number that the ERP has, or an old due date"),
});

/** The same, each left out for what is to stay. */
const CHANGES = {
  number: option(LocalInvoiceInput.number.optional(), "NUMBER", "invoice number"),
  currency: option(LocalInvoiceInput.currency.optional(), "CODE", "ISO 4217 code"),
  amount: option(LocalInvoiceInput.amount.optional(), "AMOUNT", "exact amount, such as 1250.50"),
  customerName: option(LocalInvoiceInput.customerName.optional(), "NAME", "who is billed"),
};

export const invoiceCommands: readonly Command[] = [
  workspaceCommand("invoice create", {
    summary: "make an invoice that exists only in the service",
    input: OPTIONS,
    run: ({ operate }, { installment: installments, ...invoice }) =>
      operate(createLocalInvoice, { ...invoice, installments }),
  }),
  workspaceCommand("invoice edit", {
    summary: "change an invoice made in the service, until something was collected",
    input: z.strictObject({ invoice: InvoiceOption, ...OPTIONS.shape, ...CHANGES }),
    run: ({ operate }, { invoice: invoiceId, installment: installments, ...changes }) =>
      operate(editLocalInvoice, { invoiceId, ...changes, installments }),
  }),
  workspaceCommand("invoice void", {
    summary: "make an invoice of the service owe nothing, for good",
    input: z.strictObject({ invoice: InvoiceOption }),
    run: ({ operate }, { invoice: invoiceId }) => operate(voidLocalInvoice, { invoiceId }),
  }),
  workspaceCommand("invoice settle", {
    summary: "note money that came another way, such as a transfer",
    input: z.strictObject({
      invoice: InvoiceOption,
      amount: option(SettledInput.amount, "AMOUNT", "exact amount, such as 1250.50"),
      date: option(SettledInput.date, "DATE", "when it came"),
      reference: option(SettledInput.reference, "TEXT", "how it is known by"),
    }),
    run: ({ operate }, { invoice: invoiceId, ...settled }) => operate(settleLocalInvoice, { invoiceId, ...settled }),
  }),
];

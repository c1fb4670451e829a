import { z } from "zod";
import { LocalInvoiceInput } from "../../core/invoices/local-invoice.ts";
import { createLocalInvoice } from "../../core/invoices/operations/create-local-invoice.ts";
import { editLocalInvoice } from "../../core/invoices/operations/edit-local-invoice.ts";
import { settleLocalInvoice } from "../../core/invoices/operations/settle-local-invoice.ts";
import { voidLocalInvoice } from "../../core/invoices/operations/void-local-invoice.ts";
import { type Command, command } from "../command.ts";
import type { Typed } from "../options.ts";

/** `2026-04-30:1250.50`; without a date before the colon, one that has no due date. */
const Installment = z
  .string()
  .regex(/^[^:]*:[^:]+$/, "must be DUE:AMOUNT, such as 2026-04-30:1250.50")
  .transform((text) => {
    const [due = "", amount = ""] = text.split(":");
    return { dueDate: due === "" ? null : due, amount };
  })
  .pipe(LocalInvoiceInput.installments.element);

const INVOICE: Typed = ["--invoice ID", "the invoice"];

const OPTIONS = {
  number: "invoice number",
  currency: ["CODE", "ISO 4217 code"],
  amount: "exact amount, such as 1250.50",
  invoiceDate: "YYYY-MM-DD",
  dueDate: "YYYY-MM-DD",
  customerName: "who is billed",
  customerEmail: "billing email",
  installments: [
    "--installment DUE:AMOUNT",
    "one installment; repeat it, all together make up the amount. None: the invoice is one",
    z.array(Installment).optional(),
  ],
  confirmed: ["", "take a number that the ERP has, or an old due date"],
} satisfies Readonly<Record<string, string | Typed>>;

export const invoiceCommands: readonly Command[] = [
  command("invoice create", createLocalInvoice, {
    summary: "make an invoice that exists only in the service",
    options: OPTIONS,
  }),
  command("invoice edit", editLocalInvoice, {
    summary: "change an invoice made in the service, until something was collected",
    options: { invoiceId: INVOICE, ...OPTIONS },
  }),
  command("invoice void", voidLocalInvoice, {
    summary: "make an invoice of the service owe nothing, for good",
    options: { invoiceId: INVOICE },
  }),
  command("invoice settle", settleLocalInvoice, {
    summary: "note money that came another way, such as a transfer",
    options: {
      invoiceId: INVOICE,
      amount: "exact amount, such as 1250.50",
      date: "when it came",
      reference: ["TEXT", "how it is known by"],
    },
  }),
];

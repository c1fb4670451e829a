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

const OPTIONS = {
  currency: "CODE",
  installments: [
    "--installment DUE:AMOUNT",
    "one installment; repeat it, all together make up the amount. None: the invoice is one",
    z.array(Installment).optional(),
  ],
  confirmed: "",
} satisfies Readonly<Record<string, Typed>>;

const INVOICE = "--invoice ID";

export const invoiceCommands: readonly Command[] = [
  command("invoice create", createLocalInvoice, { options: OPTIONS }),
  command("invoice edit", editLocalInvoice, { options: { invoiceId: INVOICE, ...OPTIONS } }),
  command("invoice void", voidLocalInvoice, { options: { invoiceId: INVOICE } }),
  command("invoice settle", settleLocalInvoice, { options: { invoiceId: INVOICE, reference: "TEXT" } }),
];

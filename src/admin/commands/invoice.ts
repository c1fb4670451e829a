import { z } from "zod";
import { createLocalInvoice, LocalInvoiceInput } from "../../core/invoices/operations/create-local-invoice.ts";
import { type Command, option, workspaceCommand } from "../command.ts";

/** `2026-04-30:1250.50`; without a date before the colon, one that has no due date. */
const Installment = z
  .string()
  .regex(/^[^:]*:[^:]+$/, "must be DUE:AMOUNT, such as 2026-04-30:1250.50")
  .transform((text) => {
    const [due = "", amount = ""] = text.split(":");
    return { dueDate: due === "" ? null : due, amount };
  })
  .pipe(LocalInvoiceInput.installments.element);

export const invoiceCommands: readonly Command[] = [
  workspaceCommand("invoice create", {
    summary: "make an invoice that exists only in the service",
    input: z.strictObject({
      number: option(LocalInvoiceInput.number.optional(), "NUMBER", "invoice number"),
      currency: option(LocalInvoiceInput.currency, "CODE", "ISO 4217 code"),
      amount: option(LocalInvoiceInput.amount, "AMOUNT", "exact amount, such as 1250.50"),
      invoiceDate: option(LocalInvoiceInput.invoiceDate.optional(), "DATE", "YYYY-MM-DD"),
      dueDate: option(LocalInvoiceInput.dueDate.optional(), "DATE", "YYYY-MM-DD"),
      customerName: option(LocalInvoiceInput.customerName.optional(), "NAME", "who is billed"),
      customerEmail: option(LocalInvoiceInput.customerEmail.optional(), "EMAIL", "billing email"),
      installment: option(
        z.array(Installment).optional(),
        "DUE:AMOUNT",
        "one installment; repeat it, all together make up the amount",
        { repeatable: true },
      ),
    }),
    run: ({ operate }, { installment: installments, ...invoice }) =>
      operate(createLocalInvoice, { ...invoice, installments }),
  }),
];

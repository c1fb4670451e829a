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
      invoice_date: option(LocalInvoiceInput.invoiceDate.optional(), "DATE", "YYYY-MM-DD"),
      due_date: option(LocalInvoiceInput.dueDate.optional(), "DATE", "YYYY-MM-DD"),
      customer_name: option(LocalInvoiceInput.customerName.optional(), "NAME", "who is billed"),
      customer_email: option(LocalInvoiceInput.customerEmail.optional(), "EMAIL", "billing email"),
      installment: option(
        z.array(Installment).optional(),
        "DUE:AMOUNT",
        "one installment; repeat it, all together make up the amount",
        { repeatable: true },
      ),
    }),
    run: ({ operate }, { number, currency, amount, installment = [], ...rest }) =>
      operate(createLocalInvoice, {
        number,
        currency,
        amount,
        invoiceDate: rest.invoice_date,
        dueDate: rest.due_date,
        customerName: rest.customer_name,
        customerEmail: rest.customer_email,
        installments: installment,
      }),
  }),
];

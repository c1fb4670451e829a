import { z } from "zod";
import { createLocalInvoice, LocalInvoiceInput } from "../../core/invoices/operations/create-local-invoice.ts";
import { type Command, flags, workspaceCommand } from "../command.ts";

const I = LocalInvoiceInput;

/** `2026-04-30:1250.50`; without a date before the colon, one that has no due date. */
const Installment = z
  .string()
  .regex(/^[^:]*:[^:]+$/, "must be DUE:AMOUNT, such as 2026-04-30:1250.50")
  .transform((text) => {
    const [due = "", amount = ""] = text.split(":");
    return { dueDate: due === "" ? null : due, amount };
  })
  .pipe(I.installments.element);

export const invoiceCommands: readonly Command[] = [
  workspaceCommand("invoice create", {
    summary: "make an invoice that exists only in the service",
    input: z.strictObject({
      number: I.number.optional().register(flags, { value: "NUMBER", description: "invoice number" }),
      currency: I.currency.register(flags, { value: "CODE", description: "ISO 4217 code" }),
      amount: I.amount.register(flags, { value: "AMOUNT", description: "exact amount, such as 1250.50" }),
      invoice_date: I.invoiceDate.optional().register(flags, { value: "DATE", description: "YYYY-MM-DD" }),
      due_date: I.dueDate.optional().register(flags, { value: "DATE", description: "YYYY-MM-DD" }),
      customer_name: I.customerName.optional().register(flags, { value: "NAME", description: "who is billed" }),
      customer_email: I.customerEmail.optional().register(flags, { value: "EMAIL", description: "billing email" }),
      installment: z.array(Installment).optional().register(flags, {
        value: "DUE:AMOUNT",
        repeatable: true,
        description: "one installment; repeat it, all together make up the amount",
      }),
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

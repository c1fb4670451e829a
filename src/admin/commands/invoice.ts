import { z } from "zod";
import { EmailAddress, setCustomerEmail } from "../../core/customers/operations/set-customer-email.ts";
import { createLocalInvoice, LocalInvoiceInput } from "../../core/invoices/operations/create-local-invoice.ts";
import { Uuid } from "../../core/shared/validation.ts";
import { type Command, option, workspaceCommand } from "../command.ts";

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
      number: option(I.number.optional(), "NUMBER", "invoice number"),
      currency: option(I.currency, "CODE", "ISO 4217 code"),
      amount: option(I.amount, "AMOUNT", "exact amount, such as 1250.50"),
      invoice_date: option(I.invoiceDate.optional(), "DATE", "YYYY-MM-DD"),
      due_date: option(I.dueDate.optional(), "DATE", "YYYY-MM-DD"),
      customer_name: option(I.customerName.optional(), "NAME", "who is billed"),
      customer_email: option(I.customerEmail.optional(), "EMAIL", "billing email"),
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

export const customerCommands: readonly Command[] = [
  workspaceCommand("customer email", {
    summary: "set a customer's billing email, which wins over the ERP's",
    input: z.strictObject({
      customer: option(Uuid, "ID", "customer.id of one of its invoices"),
      email: option(
        z.union([z.literal("").transform(() => null), EmailAddress], "must be an email address"),
        "EMAIL",
        'the address; "" goes back to the ERP\'s',
      ),
    }),
    run: ({ operate }, { customer: customerId, email }) => operate(setCustomerEmail, { customerId, email }),
  }),
];

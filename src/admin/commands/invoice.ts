import { z } from "zod";
import { operate } from "../../core/gate/operator.ts";
import { createLocalInvoice, LocalInvoiceInput } from "../../core/invoices/operations/create-local-invoice.ts";
import { findWorkspace } from "../../core/workspace/workspaces.ts";
import { type Command, command, flags } from "../command.ts";
import { WorkspaceOption } from "../inputs.ts";

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
  command({
    noun: "invoice",
    verb: "create",
    summary: "make an invoice that exists only in the service",
    input: z.strictObject({
      workspace: WorkspaceOption,
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
    async run({ core }, { workspace, number, currency, amount, installment = [], ...rest }) {
      const { id } = await findWorkspace(core, workspace);
      return operate(core, id, createLocalInvoice, {
        number,
        currency,
        amount,
        invoiceDate: rest.invoice_date,
        dueDate: rest.due_date,
        customerName: rest.customer_name,
        customerEmail: rest.customer_email,
        installments: installment,
      });
    },
  }),
];

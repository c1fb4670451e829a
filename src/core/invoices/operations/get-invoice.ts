import { z } from "zod";
import { operation, RECEIVABLES_READ } from "../../gate/operation.ts";
import { orNotFound } from "../../kernel/error.ts";
import { formatStored } from "../../kernel/money.ts";
import { Uuid } from "../../kernel/wire-types.ts";
import { businessDay } from "../../workspace/business-day-queries.ts";
import { installmentOnWire, invoiceOnWire } from "../invoice-on-wire.ts";
import { invoiceWithInstallments } from "../list-queries.ts";
import { InvoiceWithInstallments } from "../schema.ts";

/** One invoice with its installments, a retired one too (completions §4). Throws `not_found`. */
export const getInvoice = operation({
  id: "getInvoice",
  tag: "Invoices",
  summary: "Read an invoice with its installments",
  description:
    "Each installment says whether it can be collected now and, where not, the first reason; without installments the invoice does. Only here are `voided_at` and `settled_elsewhere`, of invoices made in the service.",
  ...RECEIVABLES_READ,
  input: z.strictObject({ invoice_id: Uuid.describe("Invoice id") }),
  output: InvoiceWithInstallments,
  async run(context, { invoice_id: invoiceId }) {
    const { actor, tx } = context;
    const { today } = await businessDay(context);
    const { not_collectible_reason: reason, ...invoice } = orNotFound(
      await invoiceWithInstallments(tx, { tenantId: actor.tenantId, today }, invoiceId),
      "invoice",
    );
    const installments = invoice.installments.map((row) => installmentOnWire(row, invoice.currency));
    const { currency, voided_at, settled_elsewhere } = invoice;
    const settled = settled_elsewhere.map((one) => ({ ...one, amount: formatStored(one.amount, currency) }));
    const ofWhole = reason === null ? {} : { not_collectible_reason: reason };
    return { ...invoiceOnWire(invoice), installments, ...ofWhole, voided_at, settled_elsewhere: settled };
  },
});

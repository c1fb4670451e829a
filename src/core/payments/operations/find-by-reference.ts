import { z } from "zod";
import { operation, PAGES_READ } from "../../gate/operation.ts";
import { invoiceOnWire } from "../../invoices/invoice-on-wire.ts";
import { matchingInvoices } from "../../invoices/list-queries.ts";
import { Invoice } from "../../invoices/schema.ts";
import { MoneyString } from "../../kernel/wire-types.ts";
import { businessDay } from "../../workspace/business-day-queries.ts";
import { matchingPayments } from "../list-queries.ts";
import { Payment } from "../schema.ts";
import { paymentOnWire } from "./list-payments.ts";

/** Rows of each kind that a search shows. */
export const MOST_FOUND = 10;

/**
 * Payments of a receipt number, a provider's reference or an amount, and invoices of an amount or for an email: what
 * somebody has who holds a bank statement or a letter.
 */
export const findByReference = operation({
  id: "findByReference",
  summary: "Find payments and invoices by reference, email or amount",
  ...PAGES_READ,
  input: z.strictObject({ text: z.string().min(1).max(100), amount: MoneyString.max(50).nullable() }),
  output: z.strictObject({ invoices: z.array(Invoice), payments: z.array(Payment) }),
  async run(context, { text, amount }) {
    const { tx, actor } = context;
    const { tenantId } = actor;
    const { today } = await businessDay(context);
    const invoices = await matchingInvoices(tx, { tenantId, today }, {})
      .where((eb) =>
        eb.or([
          eb(eb.fn("lower", ["invoices.customer_email"]), "=", text.toLowerCase()),
          eb("invoices.total_amount", "=", amount),
          eb("invoices.collection_outstanding", "=", amount),
        ]),
      )
      .orderBy("invoices.created_at", "desc")
      .orderBy("invoices.invoice_id")
      .limit(MOST_FOUND)
      .execute();
    const payments = await matchingPayments(tx, tenantId, {})
      .where((eb) =>
        eb.or([
          eb("payments.erp_receipt_number", "=", text),
          eb("payments.provider_payment_id", "=", text),
          eb("payments.amount", "=", amount),
        ]),
      )
      .orderBy("payments.paid_at", "desc")
      .orderBy("payments.payment_id")
      .limit(MOST_FOUND)
      .execute();
    return { invoices: invoices.map(invoiceOnWire), payments: payments.map(paymentOnWire) };
  },
});

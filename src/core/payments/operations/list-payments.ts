import { z } from "zod";
import { amountTotals } from "../../gate/amount-total-queries.ts";
import { LIST_PARAMETERS } from "../../gate/list-parameters.ts";
import { operation, RECEIVABLES_READ } from "../../gate/operation.ts";
import { listPage, Pagination } from "../../gate/pagination.ts";
import { Nearest } from "../../gate/search-queries.ts";
import { AmountTotal } from "../../kernel/amount-totals.ts";
import { addDays, LAST_DAY } from "../../kernel/calendar.ts";
import { orNotFound } from "../../kernel/error.ts";
import { formatMinor, formatStored } from "../../kernel/money.ts";
import { assertInOrder } from "../../kernel/validation.ts";
import { Uuid } from "../../kernel/wire-types.ts";
import { inInstants } from "../../workspace/days-in-filters.ts";
import { matchingPayments, PAYMENT_FILTERS, type PaymentRecord } from "../list-queries.ts";
import { reasonInWords } from "../receipts/reason-in-words.ts";
import { Payment } from "../schema.ts";

const id = "listPayments";

/** Confirmed payments, of withdrawn links too (completions §5). */
export const listPayments = operation({
  id,
  tag: "Payments",
  summary: "List confirmed payments",
  description:
    "Newest first. With `include_total`, `totals` add all matching payments up, each currency by itself. `updated_since` with `pagination.as_of` of the last walk returns what changed since, new payments too, and misses none: `updated_at` moves with every field shown.\n\n`paid_at` is when the customer paid, by the provider's clock: the receipt's date is its day in the workspace's timezone. `confirmed_at` is when the service learnt of it, later where a notification was.\n\n`refunded` is what the provider has given back so far, zero without a refund, and `refunded_minor` the same in the currency's minor unit; `disputed` is true from the customer's chargeback at their bank on, until it is won: no dispute of the debt, which is `disputed` among the reasons of installments. Neither moves another figure: `amount`, `amount_collected` and `collection_status` stay.\n\n`erp_receipt_number` is there once the ERP has the receipt, and `erp_push_attempted_at` is when it was last tried. `erp_push_status`: `held` waits until somebody pushes it; `pending` has not reached the ERP, and `processing` may have; `posted` is accepted there and not allocated; `applied` is both; `failed` did not reach it, as far as is known, and is tried again every 15 minutes for 24 hours where the ERP was unreachable; where it refused, a person pushes it on the payment's page once the cause is mended, and no field tells the two apart; `reversed` was undone in the ERP and waits for a person.",
  ...RECEIVABLES_READ,
  input: z.strictObject({ ...PAYMENT_FILTERS, ...LIST_PARAMETERS }),
  output: z.strictObject({
    data: z.array(Payment),
    pagination: Pagination,
    totals: z.array(AmountTotal).optional().describe("With `include_total`, one per currency"),
    nearest: Nearest,
  }),
  async run(context, given) {
    const { paid_from: first, paid_to: last } = given;
    assertInOrder(given, "paid_from", "paid_to", "days");
    const input = await inInstants(context, {
      ...given,
      paid_from: first && { day: first },
      paid_before: last && last < LAST_DAY ? { day: addDays(last, 1) } : undefined,
    });
    assertInOrder(input, "confirmed_since", "confirmed_before");
    const query = matchingPayments(context.tx, context.actor.tenantId, input);
    const { rows, ...page } = await listPage(context, {
      operation: id,
      input,
      query,
      columns: { createdAt: "payments.created_at", id: "payments.payment_id" },
      idOf: (row) => row.payment_id,
      totals: () => amountTotals(context.tx, query, "payments"),
    });
    return { data: rows.map(paymentOnWire), ...page };
  },
});

/** One payment through a link (completions §13). Throws `not_found`. */
export const getPayment = operation({
  id: "getPayment",
  tag: "Payments",
  summary: "Read a payment",
  description: "A payment stays; its receipt, what was refunded and whether it is disputed change later.",
  ...RECEIVABLES_READ,
  input: z.strictObject({ payment_id: Uuid.describe("Payment id") }),
  output: Payment,
  async run({ actor, tx }, { payment_id: id }) {
    const found = matchingPayments(tx, actor.tenantId, {}).where("payments.payment_id", "=", id);
    const payment = orNotFound(await found.executeTakeFirst(), "payment");
    return paymentOnWire(payment);
  },
});

/** A payment as callers see it (completions §4). */
export function paymentOnWire(row: PaymentRecord) {
  const { payment_id: paymentId, installment_id, payment_link_id, ...rest } = row;
  const { customer_id, customer_number, customer_name, ...shown } = rest;
  if (installment_id === null || payment_link_id === null) throw new Error("a payment through a link has both");
  return {
    id: paymentId,
    installment_id,
    payment_link_id,
    ...shown,
    customer: { id: customer_id, number: customer_number, name: customer_name },
    amount_minor: Number(row.amount_minor),
    amount: formatStored(row.amount, row.currency),
    erp_push_error: row.erp_push_error && reasonInWords(row.erp_push_error),
    refunded_minor: Number(row.refunded_minor),
    refunded: formatMinor(row.refunded_minor, row.currency),
  };
}

import { z } from "zod";
import { ROUTE_CALLERS } from "../actor.ts";
import { formatStored } from "../money.ts";
import { operation } from "../operation.ts";
import { LIST_PARAMETERS, listPage, Pagination } from "../page.ts";
import { matchingPayments, type PaymentRecord } from "./list-queries.ts";
import { PAYMENT_FILTERS, Payment } from "./schema.ts";

const id = "listPayments";

/** Confirmed payments, whatever has become of their links (completions §5). */
export const listPayments = operation({
  id,
  callers: ROUTE_CALLERS,
  permission: "readonly",
  scope: "receivables:read",
  sideEffects: "None.",
  input: z.strictObject({ ...PAYMENT_FILTERS, ...LIST_PARAMETERS }),
  output: z.strictObject({ data: z.array(Payment), pagination: Pagination }),
  async run(context, input) {
    const { rows, pagination } = await listPage(context, {
      operation: id,
      input,
      query: (db, tenantId) => matchingPayments(db, tenantId, input),
      columns: { createdAt: "payments.created_at", id: "payments.payment_id" },
      idOf: (row) => row.payment_id,
    });
    return { data: rows.map(paymentOnWire), pagination };
  },
});

function paymentOnWire(row: PaymentRecord): z.input<typeof Payment> {
  const { payment_id: paymentId, installment_id, payment_link_id, ...shown } = row;
  if (installment_id === null || payment_link_id === null) throw new Error("a payment through a link has both");
  return {
    id: paymentId,
    installment_id,
    payment_link_id,
    ...shown,
    amount_minor: Number(row.amount_minor),
    amount: formatStored(row.amount, row.currency),
    refunded_minor: Number(row.refunded_minor),
  };
}

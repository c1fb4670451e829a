import { sql } from "kysely";
import type { Transaction } from "../../store/store.ts";
import type { ErpConnectionRow } from "../../store/tables/erp.ts";
import type { InvoiceRow } from "../../store/tables/invoices.ts";
import type { PaymentRow } from "../../store/tables/payments.ts";
import { PUSH_REASONS } from "../payments/receipts/push-reasons.ts";
import type { NamedErp } from "../payments/receipts/receipt-list-queries.ts";
import { RECEIPT_MOVES } from "../payments/receipts/receipt-moves.ts";

/** A payment whose receipt is not applied in the ERP. */
export type UnappliedReceipt = Pick<
  PaymentRow,
  "payment_id" | "payment_link_id" | "erp_push_error" | "amount" | "currency" | "paid_at"
> &
  Pick<InvoiceRow, "invoice_number" | "customer_name"> &
  NamedErp & {
    erp_push_status: Exclude<PaymentRow["erp_push_status"], "applied" | null>;
    connection_id: string | null;
    connection_status: ErpConnectionRow["status"] | null;
    /** It failed for good, was reversed, or is in the ERP and cannot be applied: it is not retried. */
    needs_person: boolean;
    /** When it was first tried, queued or recorded; if it was reversed or unapplied in the ERP, when that was seen. */
    since: string;
  };

const isReversed = sql`payment.erp_push_status = 'reversed'`;
const isTakenBack = sql`(payment.erp_push_status = 'posted' and payment.erp_push_error = ${PUSH_REASONS.taken_back})`;

const needsPerson = sql<boolean>`(${isReversed} or (not payment.push_retryable and (
  payment.erp_push_status = 'failed' or (payment.erp_push_status = 'posted' and payment.erp_push_error is not null))))`;

/** When its attempts began, or, before the first, since when it has been due or known. */
const underWaySince = sql<string>`coalesce(payment.push_first_attempt_at,
  case when payment.erp_push_status in ('pending', 'processing', 'posted') 
    then coalesce(payment.next_attempt_at, payment.next_look_at) end,
  payment.confirmed_at)`;

/**
 * Payments whose receipt needs a person, and those that have waited since `waitingSince` or longer: held, queued, retried, or in
 * the ERP and not matched. Those that the demo never pushes are left out.
 */
export function unappliedReceipts(
  tx: Transaction,
  tenantId: string,
  { waitingSince }: { waitingSince: string },
): Promise<UnappliedReceipt[]> {
  const moved = sql<string | null>`(select max(entry.at) from audit_entries as entry
    where entry.tenant_id = ${tenantId} and entry.operation = any(array[${sql.join([...RECEIPT_MOVES])}]::text[])
      and entry.object_id = payment.payment_id::text)`;
  return tx
    .selectFrom("payments as payment")
    .innerJoin("invoices as invoice", (join) =>
      join.onRef("invoice.tenant_id", "=", "payment.tenant_id").onRef("invoice.invoice_id", "=", "payment.invoice_id"),
    )
    .leftJoin("erp_connections as connection", (join) =>
      join
        .onRef("connection.tenant_id", "=", "payment.tenant_id")
        .onRef("connection.connection_id", "=", "payment.connection_id"),
    )
    .select([
      "payment.payment_id",
      "payment.payment_link_id",
      "payment.erp_push_error",
      "payment.amount",
      "payment.currency",
      "payment.paid_at",
      "invoice.invoice_number",
      "invoice.customer_name",
      "payment.connection_id",
      "connection.base_url",
      "connection.username",
      "connection.status as connection_status",
      sql<UnappliedReceipt["erp_push_status"]>`payment.erp_push_status`.as("erp_push_status"),
      needsPerson.as("needs_person"),
      sql<string>`case when ${isReversed} or ${isTakenBack} then coalesce(${moved}, ${underWaySince})
        else ${underWaySince} end`.as("since"),
    ])
    .where("payment.tenant_id", "=", tenantId)
    .where("payment.erp_push_status", "is not", null)
    .where("payment.erp_push_status", "<>", "applied")
    .where(sql<boolean>`not (payment.push_put_off and payment.erp_push_status in ('pending', 'processing'))`)
    .where((eb) => eb.or([needsPerson, eb(underWaySince, "<=", waitingSince)]))
    .execute();
}

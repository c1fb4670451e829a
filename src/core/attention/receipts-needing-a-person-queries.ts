import { sql } from "kysely";
import type { Transaction } from "../../store/store.ts";
import type { PaymentRow } from "../../store/tables/payments.ts";
import { PUSH_REASONS } from "../payments/receipts/push-reasons.ts";
import { RECEIPT_MOVES } from "../payments/receipts/receipt-follow.ts";
import { sameTenant } from "../shared/same-tenant.ts";

const isReversed = sql`payment.erp_push_status = 'reversed'`;
const isTakenBack = sql`(payment.erp_push_status = 'posted' and payment.erp_push_error = ${PUSH_REASONS.taken_back})`;

/** It failed for good, was reversed, or is in the ERP and cannot be applied: it is not retried. */
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
export function unappliedReceipts(tx: Transaction, tenantId: string, { waitingSince }: { waitingSince: string }) {
  const moved = sql<string | null>`(select max(entry.at) from audit_entries as entry
    where entry.tenant_id = ${tenantId} and entry.operation = any(array[${sql.join([...RECEIPT_MOVES])}]::text[])
      and entry.object_id = payment.payment_id::text)`;
  return tx
    .selectFrom("payments as payment")
    .innerJoin("invoices as invoice", sameTenant("invoice", "payment", "invoice_id"))
    .leftJoin("erp_connections as connection", sameTenant("connection", "payment", "connection_id"))
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
      sql<Exclude<PaymentRow["erp_push_status"], "applied" | null>>`payment.erp_push_status`.as("erp_push_status"),
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

/** A payment whose receipt is not applied in the ERP. */
export type UnappliedReceipt = Awaited<ReturnType<typeof unappliedReceipts>>[number];

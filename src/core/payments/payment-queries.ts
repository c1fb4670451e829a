import { type InferResult, type Insertable, sql, type Updateable } from "kysely";
import { stampPayments, touchShown } from "../../store/aging/rollup.ts";
import { anyOf } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";
import type { ErpConnectionRow } from "../../store/tables/erp.ts";
import type { PaymentRow } from "../../store/tables/payments.ts";
import { TAKEN_BACK } from "../collection/push-outcome.ts";
import { sameTenant } from "../kernel/same-tenant.ts";

/** An invoice, locked, with how its connection pushes receipts. */
export function lockPaidInvoice(tx: Transaction, tenantId: string, invoiceId: string) {
  return tx
    .selectFrom("invoices")
    .leftJoin("erp_connections", sameTenant("erp_connections", "invoices", "connection_id"))
    .selectAll("invoices")
    .select("erp_connections.payment_push_mode")
    .where((column) => column.and({ "invoices.tenant_id": tenantId, "invoices.invoice_id": invoiceId }))
    .forUpdate("invoices")
    .executeTakeFirst();
}

/** An installment of the invoice's, a removed one included. */
export function installmentOf(tx: Transaction, tenantId: string, invoiceId: string, installmentId: string) {
  return tx
    .selectFrom("installments")
    .select("erp_outstanding")
    .where((column) => column.and({ tenant_id: tenantId, invoice_id: invoiceId, installment_id: installmentId }))
    .executeTakeFirst();
}

/** Changes a payment that is locked after its invoice. */
export async function updatePayment(
  tx: Transaction,
  { tenant_id, payment_id }: Pick<PaymentRow, "tenant_id" | "payment_id">,
  set: Updateable<PaymentRow>,
) {
  touchShown(tx, "payments", [payment_id]);
  await tx
    .updateTable("payments")
    .set(set)
    .where((column) => column.and({ tenant_id, payment_id }))
    .execute();
}

export async function insertPayment(tx: Transaction, row: Insertable<PaymentRow>) {
  stampPayments(tx, [row.payment_id], row.confirmed_at);
  await tx.insertInto("payments").values(row).execute();
}

/** Payments of the tenant whose receipts are asked for, and the state of their ERP connection (null without one); unordered. */
function payments(tx: Transaction, tenantId: string) {
  return tx
    .selectFrom("payments")
    .innerJoin("invoices", sameTenant("invoices", "payments", "invoice_id"))
    .leftJoin("erp_connections", sameTenant("erp_connections", "invoices", "connection_id"))
    .select([
      "payments.payment_id",
      "payments.invoice_id",
      "payments.erp_push_status",
      "payments.amount",
      "payments.currency",
      "erp_connections.status as connection_status",
    ])
    .where("payments.tenant_id", "=", tenantId);
}

export type AskedPush = InferResult<ReturnType<typeof payments>>[number];

export function paymentsById(tx: Transaction, tenantId: string, paymentIds: readonly string[]) {
  return payments(tx, tenantId).where("payments.payment_id", "=", anyOf(paymentIds, "uuid")).execute();
}

/** The held ones of a connection, oldest first. */
export function heldPayments(tx: Transaction, tenantId: string, connectionId: string) {
  return payments(tx, tenantId)
    .where("invoices.connection_id", "=", connectionId)
    .where("invoices.has_held_payment", "=", true)
    .where("payments.erp_push_status", "=", "held")
    .orderBy("payments.created_at")
    .orderBy("payments.payment_id")
    .execute();
}

/** Queues those of some payments that are held, locked after their invoices. Answers which they were. */
export async function queueHeld(tx: Transaction, tenantId: string, paymentIds: readonly string[], now: string) {
  touchShown(tx, "payments", paymentIds);
  const rows = await tx
    .updateTable("payments")
    .set({ erp_push_status: "pending", next_attempt_at: now, push_put_off: false })
    .where("tenant_id", "=", tenantId)
    .where("payment_id", "=", anyOf(paymentIds, "uuid"))
    .where("erp_push_status", "=", "held")
    .returning("payment_id")
    .execute();
  return new Set(rows.map((row) => row.payment_id));
}

/** Whether a push waits for a person: its receipt did not reach the ERP, or was not applied there. */
const waits = sql<boolean>`(payments.erp_push_status = 'failed' or (payments.erp_push_status = 'posted'
  and payments.erp_push_error ->> 'code' <> ${TAKEN_BACK} and not payments.push_retryable))`;

/** The invoices of a connection that have a push which waits for a person. */
export async function invoicesWithWaitingPush(tx: Transaction, tenantId: string, connectionId: string) {
  const rows = await payments(tx, tenantId).where("invoices.connection_id", "=", connectionId).where(waits).execute();
  return rows.map((row) => row.invoice_id);
}

/**
 * Queues the waiting pushes of invoices, which are locked, as if they had never been tried; a receipt that the ERP has
 * stays posted. How many there were.
 */
export async function queueWaiting(tx: Transaction, tenantId: string, invoiceIds: readonly string[], now: string) {
  touchShown(tx, "invoices", invoiceIds);
  const result = await tx
    .updateTable("payments")
    .set({
      erp_push_status: sql`case when erp_push_status = 'failed' then 'pending' else erp_push_status end`,
      erp_push_error: null,
      push_first_attempt_at: null,
      next_attempt_at: now,
      push_put_off: false,
      push_retryable: sql`erp_push_status = 'posted'`,
    })
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", anyOf(invoiceIds, "uuid"))
    .where(waits)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** How many receipts of a connection only people let go on, and the connection's status. */
export async function leftToPeople(tx: Transaction, tenantId: string, connectionId: string) {
  const { rows } = await sql<{ held: string; reversed: string; status: ErpConnectionRow["status"] }>`
    select connection.status,
      count(*) filter (where payment.erp_push_status = 'held') as held,
      count(*) filter (where payment.erp_push_status = 'reversed') as reversed
    from erp_connections as connection
    left join payments as payment
      on payment.tenant_id = connection.tenant_id and payment.connection_id = connection.connection_id
    where connection.tenant_id = ${tenantId} and connection.connection_id = ${connectionId}
    group by connection.status`.execute(tx);
  const [row] = rows;
  return {
    receipts_held: Number(row?.held ?? 0),
    receipts_reversed: Number(row?.reversed ?? 0),
    connection_status: row?.status ?? ("disconnected" as const),
  };
}

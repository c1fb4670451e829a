import { type Selectable, sql } from "kysely";
import { touchShown } from "../../../store/aging/rollup.ts";
import { anyOf, recordset } from "../../../store/recordset.ts";
import type { Transaction } from "../../../store/store.ts";
import type { ErpConnectionRow } from "../../../store/tables/erp.ts";
import type { PaymentRow } from "../../../store/tables/payments.ts";
import { isSameErp } from "../../erp-access/address.ts";
import { differs } from "../../kernel/differs.ts";
import { sameTenant } from "../../kernel/same-tenant.ts";

/** The payment of a receipt that the ERP has; without the ERP's id where it was settled by hand and not found yet. */
export type KnownReceipt = Selectable<PaymentRow> & { readonly erp_push_status: "posted" | "applied" };

/** A receipt that the ERP has moved. What it does to the ERP's balance has yet to be read. */
export type MovedReceipt = Pick<PaymentRow, "payment_id" | "erp_push_status" | "erp_push_error" | "applied_at">;

/** When a receipt is polled again, null is never, and the id that the ERP was found to have it by. */
type NextPoll = Pick<PaymentRow, "payment_id" | "erp_receipt_id" | "next_look_at">;

export interface Connection {
  tenantId: string;
  connectionId: string;
}

/** Whether the ERP has a payment's receipt, as the service saw or a person says. */
const IS_IN_ERP = sql`payment.erp_push_status in ('posted', 'applied')
  and (payment.erp_receipt_id is not null or payment.settled_by_hand_at is not null)`;

/** The `from` and `where` of a connection's receipts that its ERP has. */
const inErp = ({ tenantId, connectionId }: Connection) => sql`payments as payment
  join invoices as invoice on invoice.tenant_id = payment.tenant_id and invoice.invoice_id = payment.invoice_id
  where payment.tenant_id = ${tenantId} and invoice.connection_id = ${connectionId} and ${IS_IN_ERP}`;

/**
 * Receipts of a connection that are due for a poll and that nobody is pushing, longest due first; of retired invoices too. A poll
 * put off beyond `farthest` and `later` times the receipt's age was set by a wrong clock.
 */
export async function receiptsToFollow(
  tx: Transaction,
  connection: Connection,
  { now, farthest, later, limit }: { now: string; farthest: string; later: number; limit: number },
) {
  const { rows } = await sql<KnownReceipt>`
    select payment.* from ${inErp(connection)} and not payment.push_retryable
      and (payment.next_look_at is null or payment.next_look_at <= ${now}
        or payment.next_look_at > ${farthest}::timestamptz + ${later}::float8
          * greatest(interval '0', ${now}::timestamptz - coalesce(payment.applied_at, ${now}::timestamptz)))
    order by payment.next_look_at nulls first, payment.payment_id limit ${limit}`.execute(tx);
  return rows;
}

/** An installment as the ERP shows it now. */
interface ReadBalance {
  erp_invoice_id: string;
  erp_installment_id: string;
  outstanding: string | null;
}

/** Applied receipts of a connection whose installment the ERP shows with more owed than it was, less the receipts applied since. */
export async function receiptsOfRisen(
  tx: Transaction,
  { tenantId, connectionId }: Connection,
  balances: readonly ReadBalance[],
) {
  const columns = { erp_invoice_id: "bigint", erp_installment_id: "numeric", outstanding: "numeric" } as const;
  const { rows } = await sql<KnownReceipt>`
    select payment.* from ${recordset("balance", balances, columns)}
    join invoices as invoice on invoice.tenant_id = ${tenantId} and invoice.connection_id = ${connectionId}
      and invoice.erp_invoice_id = balance.erp_invoice_id
    join installments as installment on installment.tenant_id = ${tenantId}
      and installment.invoice_id = invoice.invoice_id
      and installment.erp_installment_id = balance.erp_installment_id
      and installment.erp_outstanding - (
        select coalesce(sum(fresh.amount), 0) from payments as fresh
        where fresh.tenant_id = ${tenantId} and fresh.invoice_id = installment.invoice_id
          and fresh.installment_id = installment.installment_id
          and fresh.erp_push_status = 'applied' and fresh.reflected_at is null) < balance.outstanding
    join payments as payment on payment.tenant_id = ${tenantId} and payment.invoice_id = invoice.invoice_id
      and payment.installment_id = installment.installment_id
    where payment.erp_push_status = 'applied' and ${IS_IN_ERP}`.execute(tx);
  return rows;
}

/** Whether a connection has any receipt in its ERP. */
export async function hasReceipts(tx: Transaction, connection: Connection) {
  const { rows } = await sql`select 1 from ${inErp(connection)} limit 1`.execute(tx);
  return rows.length > 0;
}

/** Which of some receipts are still as they were known, locked after their invoices. */
export async function lockUnmoved(tx: Transaction, tenantId: string, receipts: readonly KnownReceipt[]) {
  const ids = receipts.map((receipt) => receipt.payment_id);
  const rows = await tx
    .selectFrom("payments")
    .select(["payment_id", "erp_push_status", "erp_receipt_id", "erp_receipt_number"])
    .where("tenant_id", "=", tenantId)
    .where("payment_id", "=", anyOf(ids, "uuid"))
    .orderBy("payment_id")
    .forUpdate()
    .execute();
  const now = new Map(rows.map((row) => [row.payment_id, row]));
  const isUnmoved = (known: KnownReceipt) => {
    const row = now.get(known.payment_id);
    return row !== undefined && !differs(known, row);
  };
  return new Set(receipts.filter(isUnmoved).map((known) => known.payment_id));
}

export async function writeNextPolls(tx: Transaction, tenantId: string, polls: readonly NextPoll[]) {
  if (polls.length === 0) return;
  const columns = { payment_id: "uuid", erp_receipt_id: "text", next_look_at: "timestamptz" } as const;
  await sql`update payments as payment set next_look_at = poll.next_look_at, erp_receipt_id = poll.erp_receipt_id
    from ${recordset("poll", polls, columns)}
    where payment.tenant_id = ${tenantId} and payment.payment_id = poll.payment_id`.execute(tx);
}

export async function writeMoves(tx: Transaction, tenantId: string, moves: readonly MovedReceipt[]) {
  if (moves.length === 0) return;
  const columns = {
    payment_id: "uuid",
    erp_push_status: "text",
    erp_push_error: "jsonb",
    applied_at: "timestamptz",
  } as const;
  touchShown(
    tx,
    "payments",
    moves.map((move) => move.payment_id),
  );
  await sql`update payments as payment set erp_push_status = move.erp_push_status,
      erp_push_error = move.erp_push_error, applied_at = move.applied_at, reflected_at = null,
      settled_by_hand_at = case when move.erp_push_status <> 'reversed' then settled_by_hand_at end
    from ${recordset("move", moves, columns)}
    where payment.tenant_id = ${tenantId} and payment.payment_id = move.payment_id`.execute(tx);
}

/** Other payments that receipts of a number settle already at an ERP, or will once it has applied them, by whichever connection. */
export async function settledByReceipts(
  tx: Transaction,
  { tenant_id, base_url, payment_id }: Pick<PaymentRow & ErpConnectionRow, "tenant_id" | "base_url" | "payment_id">,
  erp_receipt_number: string,
) {
  const rows = await tx
    .selectFrom("payments as payment")
    .innerJoin("invoices as invoice", sameTenant("invoice", "payment", "invoice_id"))
    .innerJoin("erp_connections as erp", sameTenant("erp", "payment", "connection_id"))
    .select(["payment.amount", "payment.paid_at", "payment.erp_receipt_id", "invoice.invoice_number", "erp.base_url"])
    .where("payment.tenant_id", "=", tenant_id)
    .where("erp_receipt_number", "=", erp_receipt_number)
    .where("erp_push_status", "in", ["posted", "applied"])
    .where("payment_id", "<>", payment_id)
    .execute();
  return rows.filter((row) => isSameErp(row.base_url, base_url));
}

/** A payment's money, and the ERP connection of its invoice; undefined for an unknown payment. */
export function connectionOfPayment(tx: Transaction, tenantId: string, paymentId: string) {
  return tx
    .selectFrom("payments")
    .innerJoin("erp_connections as erp", sameTenant("erp", "payments", "connection_id"))
    .selectAll("erp")
    .select(["payments.payment_id", "payments.amount", "payments.currency"])
    .where((column) => column.and({ "payments.tenant_id": tenantId, "payments.payment_id": paymentId }))
    .executeTakeFirst();
}

/** A payment whose receipt a person or an operator manages; undefined when the tenant has no such payment. */
export function managedPayment(
  tx: Transaction,
  { tenantId, paymentId }: { tenantId: string; paymentId: string },
  { lock = false } = {},
) {
  return tx
    .selectFrom("payments")
    .leftJoin("erp_connections", sameTenant("erp_connections", "payments", "connection_id"))
    .selectAll("payments")
    .select(["erp_connections.status as connection_status", "erp_connections.apply_mode"])
    .where((column) => column.and({ "payments.tenant_id": tenantId, "payments.payment_id": paymentId }))
    .$if(lock, (query) => query.forUpdate("payments"))
    .executeTakeFirst();
}

export type ManagedPayment = NonNullable<Awaited<ReturnType<typeof managedPayment>>>;

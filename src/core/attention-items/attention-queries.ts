import { sql } from "kysely";
import type { Transaction } from "../../store/store.ts";
import type { AttentionItemRow, PaymentRow } from "../../store/tables/payments.ts";
import { RECEIPT_MOVES, TAKEN_BACK } from "../collection/push-outcome.ts";
import { type Core, nowOf, type Stamping } from "../gate/dependencies.ts";
import { sameTenant } from "../kernel/same-tenant.ts";

/** Something that needs a person and cannot be read off a payment or connection (completions §12). */
interface Attention
  extends Pick<AttentionItemRow, "tenant_id" | "kind" | "subject" | "payment_link_id" | "invoice_id" | "occurred_at"> {
  /** Null or left out while the payment itself is not known, or counts in no figure. */
  readonly payment_id?: string | null;
  /** Minor units of `currency`. */
  readonly amountMinor: bigint;
  readonly currency: string;
}

/** Opens an item, or opens it again with new facts: its id and age stay. Answers whether it is new. */
export async function raiseAttention(
  tx: Transaction,
  core: Stamping,
  { tenant_id, kind, subject, amountMinor, ...about }: Attention,
) {
  const id = core.newId();
  const { payment_id = null, payment_link_id, invoice_id, currency, occurred_at } = about;
  const amount_minor = amountMinor.toString();
  const facts = { payment_id, payment_link_id, invoice_id, amount_minor, currency, occurred_at, resolved_at: null };
  const stored = await tx
    .insertInto("attention_items")
    .values({ ...facts, tenant_id, kind, subject, attention_item_id: id, created_at: nowOf(core) })
    .onConflict((conflict) => conflict.columns(["tenant_id", "kind", "subject"]).doUpdateSet(facts))
    .returning("attention_item_id")
    .executeTakeFirstOrThrow();
  return stored.attention_item_id === id;
}

/** The same once for each kind and subject: false, and the item unchanged, where people were told before. */
export async function raiseOnce(tx: Transaction, core: Stamping, attention: Attention) {
  const { tenant_id, kind, subject } = attention;
  return (await lockItem(tx, tenant_id, { kind, subject })) === undefined && raiseAttention(tx, core, attention);
}

/**
 * Has an item follow what holds now: opened, or opened again, where its amount grew, and resolved where nothing is left of it. What
 * became less stays as a person left it.
 */
export async function followAttention(tx: Transaction, core: Stamping, attention: Attention) {
  const { tenant_id, kind, subject, amountMinor } = attention;
  const item = await lockItem(tx, tenant_id, { kind, subject });
  const before = BigInt(item?.amount_minor ?? 0);
  if (amountMinor > before) await raiseAttention(tx, core, attention);
  if (item !== undefined && amountMinor < before) await lessenItem(tx, core, item, amountMinor);
}

/** Writes that less of an item's amount is left; it is resolved where nothing is. */
export async function lessenItem(tx: Transaction, core: Pick<Core, "clock">, item: AttentionItemRow, left: bigint) {
  const resolved_at = item.resolved_at ?? (left === 0n ? nowOf(core) : null);
  await updateItem(tx, item, { amount_minor: left.toString(), resolved_at });
}

/** An item, locked: by its id, or by its kind and what it is about, which is unique for each kind. */
export function lockItem(
  tx: Transaction,
  tenantId: string,
  which: Pick<AttentionItemRow, "attention_item_id"> | Pick<AttentionItemRow, "kind" | "subject">,
): Promise<AttentionItemRow | undefined> {
  return tx
    .selectFrom("attention_items")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where((eb) => eb.and(which))
    .forUpdate()
    .executeTakeFirst();
}

export async function updateItem(
  tx: Transaction,
  { tenant_id, attention_item_id }: Pick<AttentionItemRow, "tenant_id" | "attention_item_id">,
  set: Partial<Pick<AttentionItemRow, "payment_id" | "amount_minor" | "resolved_at">>,
) {
  await tx
    .updateTable("attention_items")
    .set(set)
    .where("tenant_id", "=", tenant_id)
    .where("attention_item_id", "=", attention_item_id)
    .execute();
}

/** What of the open items is read: the oldest `most` of all; of one payment or invoice also those that a person resolved. */
interface Excerpt {
  readonly most?: number;
  readonly paymentId?: string;
  readonly invoiceId?: string;
}

/** Items with their invoices' numbers and customers, oldest first. */
export function openItems(tx: Transaction, tenantId: string, { most, paymentId, invoiceId }: Excerpt = {}) {
  return tx
    .selectFrom("attention_items as item")
    .leftJoin("invoices as invoice", sameTenant("invoice", "item", "invoice_id"))
    .selectAll("item")
    .select(["invoice.invoice_number", "invoice.customer_name"])
    .select([
      "invoice.origin",
      "invoice.amount_collected",
      "invoice.total_amount",
      "invoice.voided_at",
      "invoice.currency as owed_currency",
    ])
    .where("item.tenant_id", "=", tenantId)
    .where((item) =>
      paymentId === undefined && invoiceId === undefined
        ? item("item.resolved_at", "is", null)
        : item.or([item("item.resolved_at", "is", null), item("item.amount_minor", ">", "0")]),
    )
    .$if(paymentId !== undefined, (query) => query.where("item.payment_id", "=", paymentId ?? ""))
    .$if(invoiceId !== undefined, (query) => query.where("item.invoice_id", "=", invoiceId ?? ""))
    .orderBy(sql`greatest(item.created_at, item.occurred_at)`)
    .orderBy("item.occurred_at")
    .orderBy("item.attention_item_id")
    .$if(most !== undefined, (query) => query.limit(most ?? 0))
    .execute();
}

/** How many items are open, by kind. */
export async function countOpenItems(tx: Transaction, tenantId: string) {
  const rows = await tx
    .selectFrom("attention_items")
    .select(["kind", ({ fn }) => fn.countAll<string>().as("count")])
    .where("tenant_id", "=", tenantId)
    .where("resolved_at", "is", null)
    .groupBy("kind")
    .execute();
  return rows.map(({ kind, count }) => ({ kind, count: Number(count) }));
}

export type OpenItem = Awaited<ReturnType<typeof openItems>>[number];

const isReversed = sql`erp_push_status = 'reversed'`;
const isTakenBack = sql`(erp_push_status = 'posted' and erp_push_error ->> 'code' = ${TAKEN_BACK})`;

/** It failed for good, was reversed, or is in the ERP and cannot be applied: it is not retried. */
export const needsPerson = sql<boolean>`(${isReversed} or (not push_retryable and (
  erp_push_status = 'failed' or (erp_push_status = 'posted' and erp_push_error is not null))))`;

/** When its attempts began, or, before the first, since when it has been due or known. */
const underWaySince = sql<string>`coalesce(payment.push_first_attempt_at,
  case when payment.erp_push_status in ('pending', 'processing', 'posted') 
    then coalesce(payment.next_attempt_at, payment.next_look_at) end,
  payment.confirmed_at)`;

/** Payments and what tells how their receipts stand in the ERP. */
function receipts(tx: Transaction, tenantId: string) {
  return tx
    .selectFrom("payments as payment")
    .innerJoin("invoices as invoice", sameTenant("invoice", "payment", "invoice_id"))
    .leftJoin("erp_connections as connection", sameTenant("connection", "payment", "connection_id"))
    .select([
      "payment.payment_id",
      "payment.payment_link_id",
      "payment.erp_push_error",
      "payment.push_put_off",
      "payment.amount",
      "payment.currency",
      "payment.paid_at",
      "invoice.invoice_number",
      "invoice.customer_name",
      "payment.connection_id",
      "connection.status as connection_status",
      needsPerson.as("needs_person"),
    ])
    .where("payment.tenant_id", "=", tenantId);
}

/** How one payment's receipt stands, and whether it is on the list; undefined when the tenant has no such payment. */
export function receiptOf(tx: Transaction, tenantId: string, paymentId: string, waitingSince: string) {
  return receipts(tx, tenantId)
    .select(["payment.erp_push_status", "payment.push_retryable", "payment.settled_by_hand_at"])
    .select(isWaiting(waitingSince).as("is_waiting"))
    .where("payment.payment_id", "=", paymentId)
    .executeTakeFirst();
}

/**
 * Payments whose receipt needs a person, and those that have waited since `waitingSince` or longer: held, queued, retried, or in
 * the ERP and not matched.
 */
export function unappliedReceipts(
  tx: Transaction,
  tenantId: string,
  { waitingSince, most }: { waitingSince: string; most?: number | undefined },
) {
  const moved = sql<string | null>`(select max(entry.at) from audit_entries as entry
    where entry.tenant_id = ${tenantId} and entry.operation = any(array[${sql.join(Object.values(RECEIPT_MOVES))}]::text[])
      and entry.object_id = payment.payment_id::text)`;
  return receipts(tx, tenantId)
    .select([
      sql<Exclude<PaymentRow["erp_push_status"], "applied" | null>>`payment.erp_push_status`.as("erp_push_status"),
      sql<string>`case when ${isReversed} or ${isTakenBack} then coalesce(${moved}, ${underWaySince})
        else ${underWaySince} end`.as("since"),
    ])
    .where(isWaiting(waitingSince))
    .$if(most !== undefined, (query) =>
      query
        .orderBy("since")
        .orderBy("payment.payment_id")
        .limit(most ?? 0),
    )
    .execute();
}

/** How many of them there are, by the state of the receipt and whether it needs a person. */
export async function countUnapplied(tx: Transaction, tenantId: string, { waitingSince }: { waitingSince: string }) {
  const rows = await tx
    .selectFrom("payments as payment")
    .select([
      sql<UnappliedReceipt["erp_push_status"]>`payment.erp_push_status`.as("erp_push_status"),
      needsPerson.as("needs_person"),
      ({ fn }) => fn.countAll<string>().as("count"),
    ])
    .where("payment.tenant_id", "=", tenantId)
    .where(isWaiting(waitingSince))
    .groupBy(["payment.erp_push_status", needsPerson])
    .execute();
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

function isWaiting(since: string) {
  return sql<boolean>`payment.erp_push_status <> 'applied'
    and (${needsPerson} or ${underWaySince} <= ${since}::timestamptz)`;
}

/** A payment whose receipt is not applied in the ERP. */
export type UnappliedReceipt = Awaited<ReturnType<typeof unappliedReceipts>>[number];

import { sql } from "kysely";
import { addStamped, moveUp, newestOf, type Stamps } from "../stamps.ts";
import type { Transaction } from "../tables/index.ts";
import { fillRollup } from "./build.ts";
import { recomputeClosings } from "./closed-installments.ts";
import { emptyDays } from "./due-days.ts";
import { moveToDay, recomputeStale } from "./recompute-rollup.ts";
import { ROLLUP_DAY, ROLLUP_VERSION } from "./rollup-version.ts";

/** What a transaction changed that aging reads, or that callers poll by. */
interface Touched {
  readonly invoices: Set<string>;
  readonly customers: Set<string>;
  readonly stamps: Stamps;
}

const touchedBy = new WeakMap<Transaction, Touched>();

/** Invoices of one statement. */
const BATCH = 2_000;

/**
 * Notes that a transaction writes invoices or their installments. Every writer of a column that aging reads must call it; the
 * roll-up is recomputed when the transaction ends.
 */
export function touchInvoices(tx: Transaction, invoiceIds: Iterable<string>): void {
  const { invoices } = touched(tx);
  for (const id of invoiceIds) invoices.add(id);
}

/** The same for names and numbers of customers. */
export function touchCustomers(tx: Transaction, customerIds: Iterable<string>): void {
  const { customers } = touched(tx);
  for (const id of customerIds) customers.add(id);
}

/**
 * Notes the instant that a transaction gives invoices as `updated_at`. Every writer of that column must call it: transactions
 * with later instants may commit first, and then these instants are moved up to theirs.
 */
export function stampInvoices(tx: Transaction, invoiceIds: readonly string[], at: string): void {
  addStamped(touched(tx).stamps.invoices, at, invoiceIds);
}

/** The same for `confirmed_at` of payments. */
export function stampPayments(tx: Transaction, paymentIds: readonly string[], at: string): void {
  addStamped(touched(tx).stamps.payments, at, paymentIds);
}

function touched(tx: Transaction): Touched {
  const found = touchedBy.get(tx);
  if (found === undefined) throw new Error("invoices are written in a tenant's own write transaction");
  return found;
}

/**
 * Does the work of a write transaction, then recomputes the roll-up for what it touched. That comes last because it takes the
 * tenant's roll-up lock, whose holder must not wait for other locks. Under it, instants that callers poll by get commit order.
 */
export async function keepingAging<T>(
  tx: Transaction,
  tenantId: string,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const stamps: Stamps = { invoices: new Map(), payments: new Map() };
  const [invoices, customers] = [new Set<string>(), new Set<string>()];
  touchedBy.set(tx, { invoices, customers, stamps });
  const result = await work(tx);
  const newest = newestOf(stamps);
  if (invoices.size === 0 && customers.size === 0 && newest === undefined) return result;
  const day = newest === undefined ? await lockRollup(tx, tenantId) : await lockAndStamp(tx, tenantId, stamps, newest);
  // Not built yet: building it waits for this transaction, and reads what it wrote.
  if (day === null) return result;
  const ids = [...invoices];
  for (let start = 0; start === 0 || start < ids.length; start += BATCH) {
    const batch = ids.slice(start, start + BATCH);
    const relearned = await recomputeClosings(tx, tenantId, batch);
    const renamed = start === 0 ? [...customers] : [];
    await recomputeStale(tx, tenantId, day, { invoices: batch, customers: renamed, relearned });
  }
  return result;
}

/**
 * Takes the roll-up's lock until the transaction ends, and answers the roll-up's day; null before it is built. It is a
 * statement of its own, so that the next one sees what the lock's previous holder has written. One of another version, which
 * this one cannot keep, is not built any more: that version builds it again before it reads it.
 */
export async function lockRollup(tx: Transaction, tenantId: string): Promise<string | null> {
  const lock = () =>
    sql<{ day: string | null; as_of: string | null }>`
      select ${ROLLUP_DAY} as day, as_of from aging_state where tenant_id = ${tenantId} for update`.execute(tx);
  let { rows } = await lock();
  if (rows.length === 0) {
    await sql`insert into aging_state (tenant_id, as_of) values (${tenantId}, null) on conflict do nothing`.execute(tx);
    ({ rows } = await lock());
  }
  const { day, as_of } = rows[0] ?? { day: null, as_of: null };
  if (day !== as_of) await sql`update aging_state set as_of = null where tenant_id = ${tenantId}`.execute(tx);
  return day;
}

/** The same for a transaction that wrote instants which callers poll by: they become no older than committed ones. */
async function lockAndStamp(tx: Transaction, tenantId: string, stamps: Stamps, newest: string): Promise<string | null> {
  const { rows } = await sql<{ as_of: string | null; stamped_at: string }>`
    insert into aging_state (tenant_id, as_of, stamped_at) values (${tenantId}, null, ${newest})
    on conflict (tenant_id) do update
      set stamped_at = greatest(aging_state.stamped_at, excluded.stamped_at), as_of = ${ROLLUP_DAY}
    returning as_of, stamped_at`.execute(tx);
  const [state] = rows;
  if (state === undefined) throw new Error("a tenant's roll-up has no state");
  await moveUp(tx, tenantId, stamps, state.stamped_at);
  return state.as_of;
}

/**
 * Brings a tenant's roll-up to a day (`YYYY-MM-DD`, the workspace's own), earlier or later, in a write transaction: builds it
 * if it is missing, and moves debts whose bucket changes.
 */
export async function advanceAging(tx: Transaction, tenantId: string, day: string): Promise<void> {
  const from = await lockRollup(tx, tenantId);
  if (from === day) return;
  if (from === null) return build(tx, tenantId, day);
  await moveToDay(tx, tenantId, from, day);
  await emptyDays(sql`${tenantId}`).execute(tx);
  await setDay(tx, tenantId, day);
}

/** What a roll-up consists of, besides its state. */
export const ROLLUP_TABLES = [
  "aging_debts",
  "aging_customers",
  "aging_days",
  "aging_totals",
  "aging_closings",
  "invoice_figures",
  "invoice_totals",
] as const;

async function build(tx: Transaction, tenantId: string, day: string): Promise<void> {
  for (const table of ROLLUP_TABLES)
    await sql`delete from ${sql.table(table)} where tenant_id = ${tenantId}`.execute(tx);
  await fillRollup(tx, tenantId, day);
  await setDay(tx, tenantId, day);
}

async function setDay(tx: Transaction, tenantId: string, day: string): Promise<void> {
  await sql`update aging_state set as_of = ${day}, version = ${ROLLUP_VERSION} where tenant_id = ${tenantId}`.execute(
    tx,
  );
}

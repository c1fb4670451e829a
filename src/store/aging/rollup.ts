import { sql } from "kysely";
import { type Changed, NEXT_STAMP, stampChanged } from "../change-stamps.ts";
import { addStamped, moveUp, newestOf, type Stamps } from "../stamps.ts";
import type { Transaction } from "../tables/index.ts";
import { fillRollup } from "./build.ts";
import { recomputeClosings } from "./closed-installments.ts";
import { emptyDays } from "./day-parts.ts";
import { moveToDay, recomputeStale } from "./recompute-rollup.ts";
import { ROLLUP_DAY, ROLLUP_VERSION } from "./rollup-version.ts";

/** What a transaction changed that aging reads, or that callers poll by. */
interface Touched {
  readonly invoices: Set<string>;
  readonly customers: Set<string>;
  readonly stamps: Stamps;
  readonly changed: Changed;
  /** The instant of what it does; unknown where nobody said. */
  at?: string;
}

const touchedBy = new WeakMap<Transaction, Touched>();

/** Invoices of one statement. */
const BATCH = 2_000;

/**
 * Notes that a transaction writes invoices or their installments. Every writer of a column that aging reads must call it; the
 * roll-up is recomputed when the transaction ends.
 */
export function touchInvoices(tx: Transaction, invoiceIds: Iterable<string>) {
  const { invoices, changed } = touched(tx);
  for (const id of invoiceIds) {
    invoices.add(id);
    changed.invoices.add(id);
  }
}

/** The same for names and numbers of customers. */
export function touchCustomers(tx: Transaction, customerIds: Iterable<string>) {
  const { customers } = touched(tx);
  for (const id of customerIds) customers.add(id);
}

/**
 * Notes that a transaction writes what callers see of some payments, links (their emails too) or of what hangs on invoices, such
 * as tasks. Every writer of a column that is shown must call it, and {@link touchInvoices} does: it moves their `updated_at`.
 */
export function touchShown(tx: Transaction, kind: keyof Changed, ids: Iterable<string>) {
  const { changed } = touched(tx);
  for (const id of ids) changed[kind].add(id);
}

/** Says when the work of a transaction is done, by the service's clock: what it changes is stamped so, or later. */
export function sayInstant(tx: Transaction, at: string) {
  const found = touchedBy.get(tx);
  if (found !== undefined) found.at = at;
}

/**
 * Notes the instant that a transaction gives invoices as `updated_at`. Every writer of that column must call it: transactions
 * with later instants may commit first, and then these instants are moved up to theirs.
 */
export function stampInvoices(tx: Transaction, invoiceIds: readonly string[], at: string) {
  addStamped(touched(tx).stamps.invoices, at, invoiceIds);
  touchShown(tx, "invoices", invoiceIds);
}

/** The same for `confirmed_at` of payments. */
export function stampPayments(tx: Transaction, paymentIds: readonly string[], at: string) {
  addStamped(touched(tx).stamps.payments, at, paymentIds);
  touchShown(tx, "payments", paymentIds);
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
  const changed: Changed = { invoices: new Set(), payments: new Set(), links: new Set() };
  const noted: Touched = { invoices, customers, stamps, changed };
  touchedBy.set(tx, noted);
  const result = await work(tx);
  if (invoices.size + customers.size === 0 && !hasChanged(changed)) return result;
  const day = await lockAndStamp(tx, tenantId, noted);
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

/** The same for a transaction that changed what callers poll for: its instants become later than all committed ones. */
async function lockAndStamp(
  tx: Transaction,
  tenantId: string,
  { stamps, changed, at }: Pick<Touched, "stamps" | "changed" | "at">,
): Promise<string | null> {
  const newest = [newestOf(stamps), at]
    .filter((one) => one !== undefined)
    .sort()
    .at(-1);
  const state = await lockStamp(tx, tenantId, newest ?? EARLIEST);
  await moveUp(tx, tenantId, stamps, state.stamped_at);
  await stampChanged(tx, tenantId, changed, state.stamped_at);
  return state.as_of;
}

/**
 * Stamps what a transaction has changed before its end, for an answer that says when. It holds the roll-up's lock from here on: only
 * what nobody else waits in comes after it, such as the audit entry. Nothing in a transaction that only reads.
 */
export async function stampSoFar(tx: Transaction, tenantId: string): Promise<void> {
  const noted = touchedBy.get(tx);
  if (noted === undefined || !hasChanged(noted.changed)) return;
  await lockAndStamp(tx, tenantId, noted);
  const { changed, stamps } = noted;
  for (const kind of [changed.invoices, changed.payments, changed.links, stamps.invoices, stamps.payments])
    kind.clear();
}

const hasChanged = ({ invoices, payments, links }: Changed): boolean => invoices.size + payments.size + links.size > 0;

/** For work without an instant of its own, in a workspace where nothing was stamped yet. */
const EARLIEST = "1970-01-01T00:00:00.000Z";

/** A millisecond after the last one: a caller who has seen all up to that one asks from there on, and gets nothing twice. */
export async function lockStamp(tx: Transaction, tenantId: string, at = EARLIEST) {
  const { rows } = await sql<{ as_of: string | null; stamped_at: string }>`
    insert into aging_state (tenant_id, as_of, stamped_at) values (${tenantId}, null, ${at})
    on conflict (tenant_id) do update set as_of = ${ROLLUP_DAY},
      stamped_at = greatest(${NEXT_STAMP}, excluded.stamped_at)
    returning as_of, stamped_at`.execute(tx);
  const [state] = rows;
  if (state === undefined) throw new Error("a tenant's roll-up has no state");
  return state;
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

import { sql } from "kysely";
import { moveToDay, settle, settleAll } from "./aging-settle.ts";
import type { Transaction } from "./transaction.ts";

/** What a transaction changed of what aging reads. */
interface Touched {
  readonly invoices: Set<string>;
  readonly customers: Set<string>;
}

const touchedBy = new WeakMap<Transaction, Touched>();

/** Most invoices of one statement. */
const BATCH = 2_000;

/**
 * Notes that a transaction writes invoices or their installments. Whoever writes a column that aging reads has to say so;
 * the roll-up follows when the transaction ends.
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

function touched(tx: Transaction): Touched {
  const found = touchedBy.get(tx);
  if (found === undefined) throw new Error("invoices are written in a tenant's own write transaction");
  return found;
}

/**
 * Does the work of a write transaction, and then brings the roll-up in line with what it touched. That comes last because
 * it takes the tenant's one lock of the roll-up: nobody who holds it waits for another.
 */
export async function keepingAging<T>(
  tx: Transaction,
  tenantId: string,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const { invoices, customers } = { invoices: new Set<string>(), customers: new Set<string>() };
  touchedBy.set(tx, { invoices, customers });
  const result = await work(tx);
  if (invoices.size === 0 && customers.size === 0) return result;
  const day = await lockRollup(tx, tenantId);
  // Before it is built there is nothing to keep: whoever builds it waits for this transaction, and reads what it wrote.
  if (day === null) return result;
  const ids = [...invoices];
  await settle(tx, tenantId, day, { invoices: ids.slice(0, BATCH), customers: [...customers] });
  for (let start = BATCH; start < ids.length; start += BATCH)
    await settle(tx, tenantId, day, { invoices: ids.slice(start, start + BATCH) });
  return result;
}

/**
 * Takes the roll-up's lock until the transaction ends, and answers the day the roll-up stands at; null before it is built.
 * It is a statement of its own, so that the next one sees what whoever held the lock has written.
 */
async function lockRollup(tx: Transaction, tenantId: string): Promise<string | null> {
  const lock = () =>
    sql<{ as_of: string | null }>`
      select as_of from aging_state where tenant_id = ${tenantId} for update`.execute(tx);
  let { rows } = await lock();
  if (rows.length === 0) {
    await sql`insert into aging_state (tenant_id, as_of) values (${tenantId}, null) on conflict do nothing`.execute(tx);
    ({ rows } = await lock());
  }
  return rows[0]?.as_of ?? null;
}

/**
 * Brings a tenant's roll-up to a day (`YYYY-MM-DD`, the workspace's own), in a write transaction: builds it where there is
 * none, and moves the debts whose bucket is another one on that day, earlier or later.
 */
export async function advanceAging(tx: Transaction, tenantId: string, day: string): Promise<void> {
  const from = await lockRollup(tx, tenantId);
  if (from === day) return;
  if (from === null) return build(tx, tenantId, day);
  await moveToDay(tx, tenantId, from, day);
  await setDay(tx, tenantId, day);
}

/** Makes a tenant's roll-up anew from invoices and installments, as of a day, in a write transaction. */
export async function rebuildAging(tx: Transaction, tenantId: string, day: string): Promise<void> {
  await lockRollup(tx, tenantId);
  await build(tx, tenantId, day);
}

async function build(tx: Transaction, tenantId: string, day: string): Promise<void> {
  await sql`delete from aging_debts where tenant_id = ${tenantId}`.execute(tx);
  await sql`delete from aging_customers where tenant_id = ${tenantId}`.execute(tx);
  await sql`delete from aging_totals where tenant_id = ${tenantId}`.execute(tx);
  await settleAll(tx, tenantId, day);
  await setDay(tx, tenantId, day);
}

async function setDay(tx: Transaction, tenantId: string, day: string): Promise<void> {
  await sql`update aging_state set as_of = ${day} where tenant_id = ${tenantId}`.execute(tx);
}

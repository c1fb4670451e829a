import { sql } from "kysely";
import type { Transaction } from "../tables/index.ts";
import { recomputeClosingsOf } from "./closings.ts";
import { emptyDays } from "./due-days.ts";
import { recomputeDebtsOf, recomputeStale } from "./recompute-rollup.ts";
import { lockRollup } from "./rollup.ts";
import { CUSTOMER_SUMS, correctCustomers, correctSums, OTHER_SUMS, type WrongSum, wrongSums } from "./wrong-sums.ts";

/** What is recomputed in one transaction: `size` of them, after the one with that key. */
export interface RebuildSlice {
  readonly after: string | null;
  readonly size: number;
}

/** The roll-up's day, with its lock. Throws where it has not been built. */
async function lockedDay(tx: Transaction, tenantId: string): Promise<string> {
  const day = await lockRollup(tx, tenantId);
  if (day === null) throw new Error("the roll-up has not been built");
  return day;
}

/** Recomputes what is kept of some invoices, in the order of their ids; the last of them, null for the end. */
export async function rebuildInvoices(
  tx: Transaction,
  tenantId: string,
  { after, size }: RebuildSlice,
): Promise<string | null> {
  const { rows } = await sql<{ invoice_id: string }>`
    select invoice_id from invoices where tenant_id = ${tenantId} and (${after}::uuid is null or invoice_id > ${after})
    order by invoice_id limit 1 offset ${size - 1}`.execute(tx);
  const last = rows[0]?.invoice_id ?? null;
  // What is kept of invoices that are not there lies between others, or behind all.
  const ends = [
    ...(after === null ? [] : [sql`invoice_id > ${after}::uuid`]),
    ...(last === null ? [] : [sql`invoice_id <= ${last}::uuid`]),
  ];
  const which = sql`(${ends.length === 0 ? sql`true` : sql.join(ends, sql` and `)})`;
  const day = await lockedDay(tx, tenantId);
  await sql`delete from invoice_figures as figures where tenant_id = ${tenantId} and ${which} and not exists (
      select from invoices where invoices.tenant_id = ${tenantId} and invoices.invoice_id = figures.invoice_id
    )`.execute(tx);
  const relearned = await recomputeClosingsOf(tx, tenantId, which);
  await recomputeDebtsOf(tx, tenantId, day, { which, relearned });
  return last;
}

/** Recomputes names and payment histories of some customers, in the order of their keys; the last of them, null for the end. */
export async function rebuildCustomers(
  tx: Transaction,
  tenantId: string,
  { after, size }: RebuildSlice,
): Promise<string | null> {
  const { rows } = await sql<{ customer_key: string }>`
    select distinct customer_key from aging_customers where tenant_id = ${tenantId} and customer_key > ${after ?? ""}
    order by customer_key limit ${size}`.execute(tx);
  const keys = rows.map((row) => row.customer_key);
  const day = await lockedDay(tx, tenantId);
  if (keys.length > 0) await recomputeStale(tx, tenantId, day, { invoices: [], customers: keys, relearned: keys });
  return keys.length < size ? null : (keys.at(-1) ?? null);
}

/** Which sums of the roll-up are wrong, by what it keeps of the rows they are of; of customers first, then all others. */
export const SUMS = [[CUSTOMER_SUMS], OTHER_SUMS] as const;

/** What is wrong with some sums. In a snapshot, without holding up anybody. */
export async function findWrong(tx: Transaction, tenantId: string, of: (typeof SUMS)[number]): Promise<WrongSum[][]> {
  const { rows } = await sql<{ as_of: string | null }>`
    select as_of from aging_state where tenant_id = ${tenantId}`.execute(tx);
  const day = rows[0]?.as_of ?? null;
  const found: WrongSum[][] = [];
  for (const sums of of)
    found.push(day === null ? [] : (await wrongSums(sums, sql`${tenantId}`, sql`${day}`).execute(tx)).rows);
  return found;
}

/** Puts them right, in a write transaction. */
export async function correctWrong(
  tx: Transaction,
  tenantId: string,
  of: (typeof SUMS)[number],
  wrong: readonly (readonly WrongSum[])[],
): Promise<void> {
  const tenant = sql`${tenantId}`;
  const day = await lockedDay(tx, tenantId);
  for (const [at, sums] of of.entries()) {
    const errors = wrong[at] ?? [];
    if (errors.length === 0) continue;
    const isOfCustomers = sums === CUSTOMER_SUMS;
    const correct = isOfCustomers ? correctCustomers(tenant, sql`${day}`, errors) : correctSums(sums, tenant, errors);
    await correct.execute(tx);
  }
  await emptyDays(tenant).execute(tx);
}

import { sql } from "kysely";
import type { Transaction } from "../tables/index.ts";
import { type BookPart, between, invoicesOf } from "./book-parts.ts";
import { CLOSING_COLUMNS, freshClosings } from "./closed-installments.ts";
import { DEBT_COLUMNS, freshDebts } from "./counted-debts.ts";
import { CUSTOMER_COLUMNS, customersAfter } from "./customer-parts.ts";
import { FIGURE_COLUMNS, figuresChanged } from "./invoice-figures.ts";
import { affectedRows, customersBefore, staleDebts } from "./recompute-rollup.ts";
import { aged, changesOf, differing, type SqlPart } from "./rollup-parts.ts";
import { ROLLUP_DAY } from "./rollup-version.ts";
import { type Sums, type WrongSum, wrongSums } from "./wrong-sums.ts";

/** Keys of what is wrong in a part of a book, and the last key of the part, null for the end. */
export interface Found {
  readonly wrong: readonly string[];
  readonly last: string | null;
}

/** The roll-up's day in this snapshot. Throws where it has not been built. */
async function dayOf(tx: Transaction, tenantId: string): Promise<SqlPart> {
  const { rows } = await sql<{ as_of: string | null }>`
    select ${ROLLUP_DAY} as as_of from aging_state where tenant_id = ${tenantId}`.execute(tx);
  const day = rows[0]?.as_of ?? null;
  if (day === null) throw new Error("the roll-up has not been built");
  return sql`${day}`;
}

/** Invoices of which the roll-up keeps something else than it should, in the order of their ids. Blocks nobody. */
export async function findWrongInvoices(tx: Transaction, tenantId: string, part: BookPart): Promise<Found> {
  const { last, which } = await invoicesOf(tx, tenantId, part);
  const [tenant, day] = [sql`${tenantId}`, await dayOf(tx, tenantId)];
  const found = await sql<{ invoice_id: string }>`
    with ${freshDebts(tenant, which)}, ${staleDebts(tenant, which)}, moves as (${aged(sql`fresh`, day, 1)}),
    ${figuresChanged(tenant, which)},
    closings_fresh as (${freshClosings(tenant, which)}),
    closings_stale as (select * from aging_closings where tenant_id = ${tenant} and ${which})
    select invoice_id from (${differing("stale", "fresh", DEBT_COLUMNS)}) as debts
    union select invoice_id from (${differing("closings_stale", "closings_fresh", CLOSING_COLUMNS)}) as closings
    union select invoice_id from (${differing("figures_stale", "figures_fresh", FIGURE_COLUMNS)}) as figures`.execute(
    tx,
  );
  return { wrong: found.rows.map((row) => row.invoice_id), last };
}

/** The same of the names and payment histories of customers that the roll-up has, in the order of their keys. */
export async function findWrongCustomers(tx: Transaction, tenantId: string, { after, size }: BookPart): Promise<Found> {
  const { rows } = await sql<{ customer_key: string }>`
    select distinct customer_key from aging_customers where tenant_id = ${tenantId} and customer_key > ${after ?? ""}
    order by customer_key limit ${size}`.execute(tx);
  const last = rows.length < size ? null : (rows.at(-1)?.customer_key ?? null);
  const which = between("customer_key", sql`${after ?? ""}`, last === null ? null : sql`${last}`);
  const [tenant, day] = [sql`${tenantId}`, await dayOf(tx, tenantId)];
  const source = { tenantId: tenant, day, before: customersBefore(tenant), relearned: sql`true`, renamed: sql`true` };
  const found = await sql<{ customer_key: string }>`
    with ${staleDebts(tenant, sql`false`)}, ${changesOf(aged(sql`stale`, day, 1))},
    affected (customer_key, currency, customer_id, own_invoice_id) as (${affectedRows(tenant, which)}),
    ${customersAfter(source)}
    select distinct customer_key from (${differing("before", "after", CUSTOMER_COLUMNS)}) as customers`.execute(tx);
  return { wrong: found.rows.map((row) => row.customer_key), last };
}

/** What is wrong with some sums of the roll-up. Blocks nobody. */
export async function findWrongSums(tx: Transaction, tenantId: string, sums: Sums): Promise<WrongSum[]> {
  const day = await dayOf(tx, tenantId);
  const { rows } = await wrongSums(sums, sql`${tenantId}`, day).execute(tx);
  return rows;
}

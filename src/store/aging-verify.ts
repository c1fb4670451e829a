import { type RawBuilder, sql } from "kysely";
import {
  aged,
  CUSTOMER_COLUMNS,
  changesOf,
  customersAfter,
  DEBT_COLUMNS,
  freshDebts,
  TOTAL_FIGURES,
  totalsOf,
} from "./aging-sql.ts";
import type { Transaction } from "./transaction.ts";

/** How a tenant's roll-up compares with its invoices and installments. */
export interface AgingVerification {
  /** The day the roll-up stands at; null where none is built, which is as good as one without a difference. */
  as_of: string | null;
  debts: number;
  /** Customers, once for each currency they owe in. */
  customers: number;
  currencies: number;
  /** Rows that the roll-up has and should not have, or has not and should have. */
  differences: number;
}

/** Computes a tenant's roll-up once more from the whole book, beside the one that is kept. */
export async function verifyAging(tx: Transaction, tenantId: string): Promise<AgingVerification> {
  const state = await sql<{ as_of: string | null }>`
    select as_of from aging_state where tenant_id = ${tenantId}`.execute(tx);
  const asOf = state.rows[0]?.as_of ?? null;
  if (asOf === null) return { as_of: null, debts: 0, customers: 0, currencies: 0, differences: 0 };
  const { rows } = await sql<Omit<AgingVerification, "as_of">>`
    with touched as (select invoice_id from invoices where tenant_id = ${tenantId}), ${freshDebts(tenantId)},
    ${changesOf(aged("fresh", asOf, 1))}, affected as (select * from changes),
    ${customersAfter(tenantId, sql`select * from aging_customers where false`)},
    totals as (
      select currency, ${sql.join(TOTAL_FIGURES.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))}
      from (${totalsOf("after", 1)}) as each_customer group by currency
    ),
    kept_debts as (select ${columns(DEBT_COLUMNS)} from aging_debts where tenant_id = ${tenantId}),
    kept_customers as (select ${columns(CUSTOMER_COLUMNS)} from aging_customers where tenant_id = ${tenantId}),
    kept_totals as (
      select ${columns(["currency", ...TOTAL_FIGURES])} from aging_totals where tenant_id = ${tenantId}
        and (${sql.join(
          TOTAL_FIGURES.map((name) => sql`${sql.ref(name)} <> 0`),
          sql` or `,
        )})
    )
    select (select count(*) from fresh)::integer as debts, (select count(*) from after)::integer as customers,
      (select count(*) from totals)::integer as currencies,
      (${difference("kept_debts", "fresh", DEBT_COLUMNS)} + ${difference("kept_customers", "after", CUSTOMER_COLUMNS)}
        + ${difference("kept_totals", "totals", ["currency", ...TOTAL_FIGURES])})::integer as differences`.execute(tx);
  const [found] = rows;
  if (found === undefined) throw new Error("a count has no row");
  return { as_of: asOf, ...found };
}

const columns = (names: readonly string[]): RawBuilder<unknown> => sql.join(names.map((name) => sql.ref(name)));

/** How many rows one of two tables has and the other has not. */
function difference(kept: string, computed: string, names: readonly string[]): RawBuilder<unknown> {
  const from = (table: string): RawBuilder<unknown> => sql`select ${columns(names)} from ${sql.ref(table)}`;
  const only = (one: string, other: string): RawBuilder<unknown> =>
    sql`(select count(*) from (${from(one)} except all ${from(other)}) as only_there)`;
  return sql`${only(kept, computed)} + ${only(computed, kept)}`;
}

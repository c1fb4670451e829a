import { sql } from "kysely";
import type { Transaction } from "../tables/index.ts";
import { CLOSING_COLUMNS, freshClosings } from "./closed-installments.ts";
import { DEBT_COLUMNS, freshDebts } from "./counted-debts.ts";
import { CUSTOMER_COLUMNS, customersAfter } from "./customer-parts.ts";
import { DAY_COLUMNS, freshDays } from "./day-parts.ts";
import { FIGURE_COLUMNS, figuresFresh, INVOICE_TOTAL_COLUMNS, invoiceTotalsOf } from "./invoice-figures.ts";
import { aged, changesOf, differing, type SqlPart, summed, TOTAL_FIGURES, totalsOf } from "./rollup-parts.ts";
import { ROLLUP_DAY } from "./rollup-version.ts";

/** How a tenant's roll-up compares with its invoices and installments. */
export interface AgingVerification {
  /** The roll-up's day; null before it is built, which counts as no difference. */
  as_of: string | null;
  debts: number;
  /** Customers, once for each currency they owe in. */
  customers: number;
  currencies: number;
  /** Rows that the roll-up has and should not have, or has not and should have. */
  differences: number;
}

const TOTAL_COLUMNS = ["currency", ...TOTAL_FIGURES];
const INVOICE_SUMS = INVOICE_TOTAL_COLUMNS.slice(2);

/** How many rows one of two tables has and the other has not. */
const difference = (kept: string, computed: string, names: readonly string[]) =>
  sql`(select count(*) from (${differing(kept, computed, names)}) as only_there)`;

/** Counts what a roll-up of that day would hold, and the rows in which the one that is kept differs. */
const comparison = (tenantId: SqlPart, day: SqlPart): SqlPart => sql`
  with ${freshDebts(tenantId, sql`true`)},
  ${changesOf(aged(sql`fresh`, day, 1))}, affected as (select * from changes),
  ${customersAfter({ tenantId, day, before: null, relearned: sql`true`, renamed: sql`true` })},
  closings as (${freshClosings(tenantId, sql`true`)}),
  kept_closings as (select * from aging_closings where tenant_id = ${tenantId}),
  totals as (
    select currency, ${summed(TOTAL_FIGURES)}
    from (${totalsOf("after", 1)}) as each_customer group by currency
  ),
  ${figuresFresh(tenantId, sql`true`)},
  invoice_sums as (
    select collection_status, currency, ${summed(INVOICE_SUMS)}
    from (${invoiceTotalsOf("figures_fresh", 1)}) as each_invoice group by collection_status, currency
  ),
  kept_figures as (select * from invoice_figures where tenant_id = ${tenantId}),
  kept_invoice_sums as (select * from invoice_totals where tenant_id = ${tenantId} and invoice_count <> 0),
  days as (${freshDays}),
  kept_days as (select * from aging_days where tenant_id = ${tenantId} and row(amount, debts, digest) <> row(0, 0, 0)),
  kept_debts as (select * from aging_debts where tenant_id = ${tenantId}),
  kept_customers as (select * from aging_customers where tenant_id = ${tenantId}),
  kept_totals as (
    select * from aging_totals where tenant_id = ${tenantId}
      and (${sql.join(
        TOTAL_FIGURES.map((name) => sql`${sql.ref(name)} <> 0`),
        sql` or `,
      )})
  )
  select (select count(*) from fresh)::integer as debts, (select count(*) from after)::integer as customers,
    (select count(*) from totals)::integer as currencies,
    (${difference("kept_debts", "fresh", DEBT_COLUMNS)} + ${difference("kept_customers", "after", CUSTOMER_COLUMNS)}
      + ${difference("kept_totals", "totals", TOTAL_COLUMNS)} + ${difference("kept_days", "days", DAY_COLUMNS)}
      + ${difference("kept_closings", "closings", CLOSING_COLUMNS)}
      + ${difference("kept_figures", "figures_fresh", FIGURE_COLUMNS)}
      + ${difference("kept_invoice_sums", "invoice_sums", INVOICE_TOTAL_COLUMNS)})::integer as differences`;

/** Computes a tenant's roll-up once more from the whole book, beside the one that is kept. */
export async function verifyAging(tx: Transaction, tenantId: string): Promise<AgingVerification> {
  const state = await sql<{ as_of: string | null }>`
    select ${ROLLUP_DAY} as as_of from aging_state where tenant_id = ${tenantId}`.execute(tx);
  const asOf = state.rows[0]?.as_of ?? null;
  if (asOf === null) return { as_of: null, debts: 0, customers: 0, currencies: 0, differences: 0 };
  const compared = comparison(sql`${tenantId}`, sql`${asOf}`);
  const { rows } = await compared.$castTo<Omit<AgingVerification, "as_of">>().execute(tx);
  const [found] = rows;
  if (found === undefined) throw new Error("a count has no row");
  return { as_of: asOf, ...found };
}

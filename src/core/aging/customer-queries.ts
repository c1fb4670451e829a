import { sql } from "kysely";
import { daysOverdue } from "../../store/aging/days-overdue.ts";
import { type SqlPart, UNASSIGNED } from "../../store/aging/rollup-parts.ts";
import type { Transaction } from "../../store/store.ts";
import { addDays } from "../kernel/calendar.ts";
import {
  type AgingList,
  type AgingPage,
  type AgingQuery,
  type AgingTotal,
  type CustomerPlace,
  type CustomerRecord,
  NO_ROWS,
} from "./aging-query.ts";
import { customersWhere } from "./customer-search-queries.ts";
import { dueRange, filtersDebts, type Grain, grainOf } from "./debt-queries.ts";
import type { CustomerSort } from "./list-parameters.ts";
import { customerOrder } from "./row-order-queries.ts";
import { sliceOf } from "./slice.ts";
import { asOfRow } from "./source-queries.ts";
import { amounts, debtsIn, pastIn, tables } from "./total-queries.ts";

const HISTORY = sql.raw(", paid_installments, median_days_late, average_days_late, on_time_share");

interface CustomerPage extends AgingPage<CustomerPlace> {
  readonly sort: CustomerSort;
  /** Customers of each currency, in a sort that ranks amounts. */
  readonly limitPerCurrency?: number | undefined;
}

/** A page of customers and the totals of all of them. */
export async function readCustomers(
  tx: Transaction,
  query: AgingQuery,
  { after, limit, limitPerCurrency, sort }: CustomerPage,
): Promise<AgingList<CustomerRecord>> {
  const slice = sliceOf(query);
  if (slice === null) return NO_ROWS;
  const grain: Grain = filtersDebts(query) ? "debts" : grainOf(query);
  const source = grain === "currencies" ? sql`aging_customers` : sql`matched`;
  const own = grain === "currencies" ? customersWhere(query, slice) : sql`true`;
  const tenant = grain === "debts" ? sql`true` : sql`tenant_id = ${query.tenantId}`;
  const order = customerOrder(slice, sort);
  const beyond =
    after &&
    sql`(${order}) > (select ${order} from ${grain === "debts" ? source : sql`aging_customers`} where ${tenant}
      and customer_key = ${after.customerKey} and currency = ${after.currency})`;
  const ranked =
    limitPerCurrency === undefined
      ? source
      : sql`(select * from (
          select *, row_number() over (partition by currency order by ${order}) as place from ${source} where ${own}
        ) as placed where place <= ${limitPerCurrency}) as first`;
  const { rows } = await sql<{ totals: AgingTotal[]; rows: CustomerRecord[] }>`
    with ${tables(query, slice, grain)},
    page as (
      select customer_key, customer_id, customer_name, customer_number, currency, connection_id, ${amounts(slice)},
        ${sql.raw(`invoices_${slice.name}`)} as invoice_count, ${debtsIn(slice)} as installment_count
        ${grain === "debts" ? sql`, nullif(greatest(oldest, 0), 0) as max_days_overdue` : sql``}
        ${query.history ? sql`${HISTORY}, (${grain === "debts" ? sql`past_expected` : pastIn(slice)})::text as past_expected` : sql``}
      from ${ranked} where ${own} and ${beyond ?? sql`true`} order by ${order} limit ${limit + 1}
    )
    select
      (select coalesce(json_agg(totals order by currency), '[]') from totals) as totals,
      (select coalesce(json_agg(row), '[]') from (
        select *, ${asOfRow(query.tenantId, "page")} as as_of ${grain === "debts" ? sql`` : sql`, ${oldestOf(query)} as max_days_overdue`} from page
      ) as row) as rows`.execute(tx);
  const [found = { totals: [], rows: [] }] = rows;
  return { ...found, rowCount: found.totals.reduce((count, total) => count + total.customer_count, 0) };
}

/** Days overdue of the oldest overdue debt of a row in `page`, which an index finds. */
function oldestOf(query: AgingQuery) {
  const yesterday = addDays(query.reportDate, -1);
  const { from, through } = dueRange(query);
  const own = (which: SqlPart) => sql`(
    select ${daysOverdue(query.reportDate, sql`debt.due_date`)} from aging_debts as debt
    where debt.tenant_id = ${query.tenantId} and ${which} and debt.currency = page.currency
      and debt.due_date between ${from}::date and least(${through}::date, ${yesterday}::date)
    order by debt.due_date limit 1)`;
  const ownInvoice = sql`substr(page.customer_key, ${sql.lit(UNASSIGNED.length + 1)})::uuid`;
  return sql`case when page.customer_id is null then ${own(sql`debt.invoice_id = ${ownInvoice}`)}
    else ${own(sql`debt.customer_id = page.customer_id`)} end`;
}

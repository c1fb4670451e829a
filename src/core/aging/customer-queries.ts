import { type RawBuilder, sql } from "kysely";
import type { Transaction } from "../../store/store.ts";
import type { AgingList, AgingPage, AgingQuery, AgingTotal, CustomerPlace, CustomerRecord } from "./reader.ts";
import type { CustomerSort } from "./schema.ts";
import {
  amounts,
  customersWhere,
  debtsIn,
  isAboutCustomers,
  matchedCustomers,
  type Slice,
  totals,
} from "./total-queries.ts";

/**
 * Orders of customers, all ascending, so that a comparison of rows finds the next page, and each along an index. In one
 * bucket, and in all but `current`, what is overdue and what is outstanding go together.
 */
function orderOf({ name }: Slice, sort: CustomerSort): RawBuilder<unknown> {
  if (sort === "customer_asc") return sql`currency, sort_name, customer_key`;
  if (name !== "all") return sql.raw(`currency, rank_${name}, customer_key`);
  return sort === "overdue_desc"
    ? sql`currency, rank_overdue, rank_all, customer_key`
    : sql`currency, rank_all, rank_overdue, customer_key`;
}

/** A page of customers and the totals of all of them. */
export async function readCustomers(
  tx: Transaction,
  query: AgingQuery,
  slice: Slice,
  { after, limit, sort }: AgingPage<CustomerPlace> & { sort: CustomerSort },
): Promise<AgingList<CustomerRecord>> {
  const matching = isAboutCustomers(query);
  const order = orderOf(slice, sort);
  const beyond =
    after &&
    sql`(${order}) > (select ${order} from aging_customers where tenant_id = ${query.tenantId}
      and customer_key = ${after.customerKey} and currency = ${after.currency})`;
  const { rows } = await sql<{ totals: AgingTotal[]; rows: CustomerRecord[] }>`
    with ${matching ? sql`${matchedCustomers(query, slice)},` : sql``} ${totals(query, slice)}
    select
      (select coalesce(json_agg(totals order by currency), '[]') from totals) as totals,
      (select coalesce(json_agg(page), '[]') from (
        select currency, customer_key, customer_id, customer_name, customer_number,
          ${sql.raw(`invoices_${slice.name}`)} as invoice_count, ${debtsIn(slice)} as installment_count,
          ${amounts(slice)}
        from ${matching ? sql`matched` : sql`aging_customers`}
        where ${matching ? sql`true` : customersWhere(query, slice)} and ${beyond ?? sql`true`}
        order by ${order} limit ${limit + 1}
      ) as page) as rows`.execute(tx);
  const [found = { totals: [], rows: [] }] = rows;
  return { ...found, rowCount: found.totals.reduce((count, total) => count + total.customer_count, 0) };
}

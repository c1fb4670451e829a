import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { SqlPart } from "../../store/aging/rollup-parts.ts";
import type { AgingQuery } from "./aging-query.ts";
import type { Slice } from "./slice.ts";

/** Rows of `aging_customers` that the filters on customers let through and that have a debt in the slice. */
export function customersNamed(name: "matched" | "owners", query: AgingQuery, slice: Slice) {
  const { tenantId, search } = query;
  const where = (which: SqlPart) =>
    sql`select * from aging_customers where ${customersWhere(query, slice)} and ${which}`;
  if (search === undefined) return sql`${sql.ref(name)} as materialized (${where(sql`true`)})`;
  // A line break stands between names and numbers, and in none of them.
  const has = search.includes("\n") ? sql`false` : sql`strpos(search_text, ${search}) > 0`;
  // Customers are fewer than their rows here. An array makes the planner look them up by key in every case.
  return sql`found as materialized (
      select customer_id::text as customer_key from customers where tenant_id = ${tenantId} and ${has}
    ),
    ${sql.ref(name)} as materialized (
      ${where(sql`customer_key = any(array(select customer_key from found))`)}
      union all
      ${where(sql`customer_id is null and ${has}`)}
    )`;
}

/** Rows of `aging_customers` in a slice, but for the search. */
export function customersWhere({ tenantId, currency, customer_key, connection_id }: AgingQuery, { name }: Slice) {
  const inSlice = sql.raw(typeof name === "number" ? `debts_${name}` : `invoices_${name}`);
  const conditions: RawBuilder<SqlBool>[] = [sql`tenant_id = ${tenantId} and ${inSlice} > 0`];
  if (currency !== undefined) conditions.push(sql`currency = ${currency}`);
  if (customer_key !== undefined) conditions.push(sql`customer_key = ${customer_key}`);
  if (connection_id !== undefined) conditions.push(sql`connection_id = ${connection_id}`);
  return sql.join(conditions, sql` and `);
}

import { type RawBuilder, type SqlBool, sql } from "kysely";
import { effectiveDigest, effectiveHistory } from "../../store/aging/rollup-parts.ts";
import { BUCKET_PLACES, type BucketPlace } from "../../store/aging/terms.ts";
import { BUCKETS } from "./buckets.ts";
import { type Grain, grainOf, isAboutCustomers, matchedDays, matchedDebts, summedDebts } from "./debt-queries.ts";
import type { AgingQuery } from "./reader.ts";

type Sql = RawBuilder<unknown>;

/** The buckets of a report as the columns of the roll-up: there are counts for all, for all but `current`, and for each. */
export interface Slice {
  readonly places: readonly BucketPlace[];
  readonly name: BucketPlace | "overdue" | "all";
}

/** Null for a report of no bucket, which has no rows. */
export function sliceOf({ buckets }: AgingQuery): Slice | null {
  const places = BUCKET_PLACES.filter((place) => buckets.some((bucket) => bucket === BUCKETS[place]));
  const [first] = places;
  if (first === undefined) return null;
  if (places.length === 1) return { places, name: first };
  return { places, name: first === 0 ? "all" : "overdue" };
}

const column = (kind: "amount" | "debts" | "digest" | "history" | "customers", place: Slice["name"]): Sql =>
  sql.ref(`${kind}_${place}`);
const plus = (parts: readonly Sql[]): Sql => sql.join(parts, sql` + `);

/** Exact amounts of a slice as text; a bucket outside it has nothing. `sum` adds rows up, where there are several. */
export function amounts({ places }: Slice, sum: (amount: Sql) => Sql = (amount) => amount): Sql {
  const total = (some: readonly BucketPlace[]): Sql =>
    some.length === 0 ? sql`'0'` : sql`(${sum(plus(some.map((place) => column("amount", place))))})::text`;
  const own = BUCKETS.map(
    (bucket, index) => sql`${total(places.filter((place) => place === index))} as ${sql.ref(bucket)}`,
  );
  const overdue = places.filter((place) => place > 0);
  return sql`${total(places)} as outstanding, ${total(overdue)} as overdue, ${sql.join(own)}`;
}

/** How many debts a row of the roll-up has in a slice. */
export const debtsIn = ({ places }: Slice): Sql => plus(places.map((place) => column("debts", place)));

/** `totals`: an AgingTotal of each currency; what `matched` adds up to, at any grain but that of currencies. */
export function totals(query: AgingQuery, slice: Slice, grain: Grain): Sql {
  const { tenantId, currency, history } = query;
  const { places, name } = slice;
  // Days and debts have theirs in their digests.
  const folded = history === true && (grain === "currencies" || grain === "customers");
  if (grain !== "currencies")
    return sql`totals as (
      select currency, sum(${debtsIn(slice)})::integer as row_count, count(*)::integer as customer_count,
        ${amounts(slice, (amount) => sql`sum(${amount})`)}, sum(${plus([
          ...places.map(effectiveDigest),
          ...(folded ? places.map(effectiveHistory) : []),
        ])})::text as digest
      from matched group by currency
    )`;
  const customers = column("customers", name);
  return sql`totals as (
    select currency, (${debtsIn(slice)})::integer as row_count, ${customers}::integer as customer_count,
      ${amounts(slice)}, (${plus([
        ...places.map((place) => column("digest", place)),
        ...(folded ? places.map((place) => column("history", place)) : []),
      ])})::text as digest
    from aging_totals where tenant_id = ${tenantId} and ${customers} > 0
      and ${currency === undefined ? sql`true` : sql`currency = ${currency}`}
  )`;
}

/** Tables of a statement that reads totals and no rows. */
export function onlyTotals(query: AgingQuery, slice: Slice): Sql {
  const grain = grainOf(query);
  if (grain !== "debts") return tables(query, slice, grain);
  const owners = isAboutCustomers(query) ? customersNamed("owners", query, slice) : undefined;
  return sql`${summedDebts(query, owners)}, ${totals(query, slice, grain)}`;
}

/** `matched` at a grain, and what it is made of; undefined for that of currencies, which needs none. */
export function matched(query: AgingQuery, slice: Slice, grain: Grain): Sql | undefined {
  if (grain === "currencies") return undefined;
  if (grain === "days") return matchedDays(query);
  if (grain === "customers") return customersNamed("matched", query, slice);
  return matchedDebts(query, isAboutCustomers(query) ? customersNamed("owners", query, slice) : undefined);
}

/** Tables of a statement that reads totals. */
export function tables(query: AgingQuery, slice: Slice, grain: Grain): Sql {
  const rows = matched(query, slice, grain);
  return rows === undefined ? totals(query, slice, grain) : sql`${rows}, ${totals(query, slice, grain)}`;
}

/** Rows of `aging_customers` that the filters on customers let through and that have a debt in the slice. */
function customersNamed(name: "matched" | "owners", query: AgingQuery, slice: Slice): Sql {
  const { tenantId, search } = query;
  const where = (which: Sql): Sql =>
    sql`select * from aging_customers where ${customersWhere(query, slice)} and ${which}`;
  if (search === undefined) return sql`${sql.ref(name)} as materialized (${where(sql`true`)})`;
  // A line break stands between name and number, and in neither of them.
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
export function customersWhere({ tenantId, currency, customerKey }: AgingQuery, { name }: Slice): Sql {
  const inSlice = sql.raw(typeof name === "number" ? `debts_${name}` : `invoices_${name}`);
  const conditions: RawBuilder<SqlBool>[] = [sql`tenant_id = ${tenantId} and ${inSlice} > 0`];
  if (currency !== undefined) conditions.push(sql`currency = ${currency}`);
  if (customerKey !== undefined) conditions.push(sql`customer_key = ${customerKey}`);
  return sql.join(conditions, sql` and `);
}

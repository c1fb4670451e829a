import { sql } from "kysely";
import type { BucketPlace } from "../../store/aging/bucket-starts.ts";
import { effectiveDigest, effectiveHistory, type SqlPart } from "../../store/aging/rollup-parts.ts";
import type { AgingQuery } from "./aging-query.ts";
import { BUCKETS } from "./buckets.ts";
import { customersNamed } from "./customer-search-queries.ts";
import { type Grain, grainOf, matchedDays, matchedDebts, summedDebts } from "./debt-queries.ts";
import type { Slice } from "./slice.ts";
import { asOfCurrency, sources } from "./source-queries.ts";

const column = (
  kind: "amount" | "past" | "debts" | "digest" | "history" | "customers",
  place: Slice["name"],
): SqlPart => sql.ref(`${kind}_${place}`);
const plus = (parts: readonly SqlPart[]): SqlPart => sql.join(parts, sql` + `);

/** What should be in by now of a row of the roll-up, in a slice. */
export const pastIn = ({ places }: Slice): SqlPart => plus(places.map((place) => column("past", place)));

/** Exact amounts of a slice as text; a bucket outside it has nothing. `sum` adds rows up, where there are several. */
export function amounts({ places }: Slice, sum: (amount: SqlPart) => SqlPart = (amount) => amount): SqlPart {
  const total = (some: readonly BucketPlace[]): SqlPart =>
    some.length === 0 ? sql`'0'` : sql`(${sum(plus(some.map((place) => column("amount", place))))})::text`;
  const own = BUCKETS.map(
    (bucket, index) => sql`${total(places.filter((place) => place === index))} as ${sql.ref(bucket)}`,
  );
  const overdue = places.filter((place) => place > 0);
  return sql`${total(places)} as outstanding, ${total(overdue)} as overdue, ${sql.join(own)}`;
}

/** How many debts a row of the roll-up has in a slice. */
export const debtsIn = ({ places }: Slice): SqlPart => plus(places.map((place) => column("debts", place)));

/** `totals`: an AgingTotal of each currency; what `matched` adds up to, at any grain but that of currencies. */
function totals(query: AgingQuery, slice: Slice, grain: Grain): SqlPart {
  const { tenantId, currency, history } = query;
  const { places, name } = slice;
  // Days and debts have theirs in their digests.
  const folded = history === true && (grain === "currencies" || grain === "customers");
  const own = grain === "debts" ? sql`past_expected` : pastIn(slice);
  const past =
    history === true ? sql`, (${grain === "currencies" ? own : sql`sum(${own})`})::text as past_expected` : sql``;
  const more = sql`${past}, ${asOfCurrency(tenantId, currencyIn(grain))} as as_of`;
  if (grain !== "currencies")
    return sql`totals as (
      select currency, sum(${debtsIn(slice)})::integer as row_count, count(*)::integer as customer_count,
        ${amounts(slice, (amount) => sql`sum(${amount})`)}, sum(${plus([
          ...places.map(effectiveDigest),
          ...(folded ? places.map(effectiveHistory) : []),
        ])})::text as digest ${more}
      from matched group by currency
    )`;
  const customers = column("customers", name);
  return sql`totals as (
    select currency, (${debtsIn(slice)})::integer as row_count, ${customers}::integer as customer_count,
      ${amounts(slice)}, (${plus([
        ...places.map((place) => column("digest", place)),
        ...(folded ? places.map((place) => column("history", place)) : []),
      ])})::text as digest ${more}
    from aging_totals where tenant_id = ${tenantId} and ${customers} > 0
      and ${currency === undefined ? sql`true` : sql`currency = ${currency}`}
  )`;
}

const currencyIn = (grain: Grain): string => `${grain === "currencies" ? "aging_totals" : "matched"}.currency`;

/** Tables of a statement that reads totals and no rows. */
export function onlyTotals(query: AgingQuery, slice: Slice): SqlPart {
  const grain = grainOf(query);
  if (grain !== "debts") return tables(query, slice, grain);
  return sql`${summedDebts(query, slice)}, ${sources(query, "summed")}, ${totals(query, slice, grain)}`;
}

/** `matched` at a grain, and what it is made of; undefined for that of currencies, which needs none. */
function matched(query: AgingQuery, slice: Slice, grain: Grain): SqlPart | undefined {
  if (grain === "currencies") return undefined;
  if (grain === "days") return matchedDays(query);
  if (grain === "customers") return customersNamed("matched", query, slice);
  return matchedDebts(query, slice);
}

/** Tables of a statement that reads totals. */
export function tables(query: AgingQuery, slice: Slice, grain: Grain): SqlPart {
  const parts = [
    matched(query, slice, grain),
    sources(query, grain === "customers" || grain === "debts" ? "matched" : null),
    totals(query, slice, grain),
  ];
  return sql.join(parts.filter((part) => part !== undefined));
}

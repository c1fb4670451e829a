import { sql } from "kysely";
import type { BucketPlace } from "../../store/aging/bucket-starts.ts";
import { effectiveDigest, effectiveHistory, type SqlPart } from "../../store/aging/rollup-parts.ts";
import type { AgingQuery } from "./aging-query.ts";
import { BUCKETS } from "./buckets.ts";
import { customersNamed } from "./customer-search-queries.ts";
import {
  debtConditions,
  type Grain,
  grainOf,
  inCurrency,
  matchedDays,
  matchedDebts,
  summedDebts,
} from "./debt-queries.ts";
import type { Slice } from "./slice.ts";
import { OLDEST, withErps } from "./source-queries.ts";

const column = (kind: "amount" | "past" | "debts" | "digest" | "history" | "customers", place: Slice["name"]) =>
  sql.ref(`${kind}_${place}`);
const plus = (parts: readonly SqlPart[]) => sql.join(parts, sql` + `);

/** What should be in by now of a row of the roll-up, in a slice. */
export const pastIn = ({ places }: Slice) => plus(places.map((place) => column("past", place)));

/** Exact amounts of a slice as text; a bucket outside it has nothing. `sum` adds rows up, where there are several. */
export function amounts({ places }: Slice, sum: (amount: SqlPart) => SqlPart = (amount) => amount) {
  const total = (some: readonly BucketPlace[]) =>
    some.length === 0 ? sql`'0'` : sql`(${sum(plus(some.map((place) => column("amount", place))))})::text`;
  const own = BUCKETS.map(
    (bucket, index) => sql`${total(places.filter((place) => place === index))} as ${sql.ref(bucket)}`,
  );
  const overdue = places.filter((place) => place > 0);
  return sql`${total(places)} as outstanding, ${total(overdue)} as overdue, ${sql.join(own)}`;
}

/** How many debts a row of the roll-up has in a slice. */
export const debtsIn = ({ places }: Slice) => plus(places.map((place) => column("debts", place)));

/** `totals`: an AgingTotal of each currency; what `matched` adds up to, at any grain but that of currencies. */
function totals(query: AgingQuery, slice: Slice, grain: Grain, asOf = asOfTotal(query, grain)) {
  const { tenantId, history } = query;
  const { places, name } = slice;
  // Days and debts have theirs in their digests.
  const folded = history && (grain === "currencies" || grain === "customers");
  const own = grain === "debts" ? sql`past_expected` : pastIn(slice);
  const past = history ? sql`, (${grain === "currencies" ? own : sql`sum(${own})`})::text as past_expected` : sql``;
  const more = sql`${past}, ${asOf} as as_of`;
  if (grain !== "currencies")
    return sql`totals as (
      select currency, sum(${debtsIn(slice)})::integer as row_count, count(*)::integer as customer_count,
        ${amounts(slice, (amount) => sql`sum(${amount})`)}, sum(${plus([
          ...places.map(effectiveDigest),
          ...(folded ? places.map(effectiveHistory) : []),
        ])})::text as digest ${more}
      from ${hasErps(grain) ? withErps(tenantId, "matched") : sql`matched`} group by currency
    )`;
  const customers = column("customers", name);
  return sql`totals as (
    select currency, (${debtsIn(slice)})::integer as row_count, ${customers}::integer as customer_count,
      ${amounts(slice)}, (${plus([
        ...places.map((place) => column("digest", place)),
        ...(folded ? places.map((place) => column("history", place)) : []),
      ])})::text as digest ${more}
    from aging_totals where tenant_id = ${tenantId} and ${customers} > 0
      and ${inCurrency(query, "currency")}
  )`;
}

/** How old the debts of a currency are that match. Order and limit have each of its ERPs looked up in an index. */
const asOfCurrency = (query: AgingQuery, currency: string) => sql`(
  select ${OLDEST} from erp_connections as erp where erp.tenant_id = ${query.tenantId} and (
    select true from aging_debts as debt where ${debtConditions(query, "not_collectible_reason")}
      and debt.currency = ${sql.ref(currency)} and debt.connection_id = erp.connection_id
    order by debt.due_date limit 1))`;

/** Whether the rows of a grain say from which ERP they are. */
const hasErps = (grain: Grain) => grain === "customers" || grain === "debts";

function asOfTotal(query: AgingQuery, grain: Grain) {
  return hasErps(grain)
    ? OLDEST
    : asOfCurrency(query, `${grain === "currencies" ? "aging_totals" : "matched"}.currency`);
}

/** Tables of a statement that reads totals and no rows. */
export function onlyTotals(query: AgingQuery, slice: Slice) {
  const grain = grainOf(query);
  if (grain !== "debts") return tables(query, slice, grain);
  return sql`${summedDebts(query, slice)}, ${totals(query, slice, "debts", sql`min(matched.as_of)`)}`;
}

/** `matched` at a grain, and what it is made of; undefined for that of currencies, which needs none. */
function matched(query: AgingQuery, slice: Slice, grain: Grain): SqlPart | undefined {
  if (grain === "currencies") return undefined;
  if (grain === "days") return matchedDays(query);
  if (grain === "customers") return customersNamed("matched", query, slice);
  return matchedDebts(query, slice);
}

/** Tables of a statement that reads totals. */
export function tables(query: AgingQuery, slice: Slice, grain: Grain) {
  const parts = [matched(query, slice, grain), totals(query, slice, grain)];
  return sql.join(parts.filter((part) => part !== undefined));
}

import { sql } from "kysely";
import { BUCKET_PLACES, type BucketPlace } from "../../store/aging/bucket-starts.ts";
import { bucketOn, daysOverdue } from "../../store/aging/days-overdue.ts";
import { customerKey as keyOf, type SqlPart, UNASSIGNED } from "../../store/aging/rollup-parts.ts";
import type { AgingQuery } from "./aging-query.ts";
import { dueDates } from "./buckets.ts";
import { customersNamed } from "./customer-search-queries.ts";
import { expectedDate, isPastExpected } from "./expected-date-queries.ts";
import type { Slice } from "./slice.ts";
import { OLDEST, withErps } from "./source-queries.ts";

/** Where the figures of a report come from: sums by currency, by customer or by due day, or the debts themselves. */
export type Grain = "currencies" | "customers" | "days" | "debts";

/** The coarsest rows that tell the filters apart. */
export function grainOf(query: AgingQuery): Grain {
  if (!filtersDebts(query)) return isAboutCustomers(query) ? "customers" : "currencies";
  return isAboutCustomers(query) || query.history ? "debts" : "days";
}

/** True where a report is about some customers: its totals are theirs, added up. */
export const isAboutCustomers = ({ search, customer_key, connection_id }: AgingQuery) =>
  search !== undefined || customer_key !== undefined || connection_id !== undefined;

/** True where some of a customer's debts in a bucket may match, and others not. */
export const filtersDebts = (query: AgingQuery) =>
  [
    ...[query.due_from, query.due_to, query.collectible, query.not_collectible_reason],
    ...[query.no_expected_date, query.expected_from, query.expected_to],
  ].some((filter) => filter !== undefined);

/** Due days of the buckets and of the filters together, both ends included. */
export function dueRange({ buckets, reportDate, due_from = "-infinity", due_to = "infinity" }: AgingQuery) {
  const { from, through } = dueDates(buckets, reportDate);
  // As text, days lie between `-infinity` and `infinity` as they do in the store.
  return {
    from: due_from > from ? due_from : from,
    through: due_to < through ? due_to : through,
  };
}

/** Conditions on the debts of the tenant, or on its days, but for currency and customer. */
export function debtConditions(query: AgingQuery, reason: "reason" | "not_collectible_reason") {
  const { from, through } = dueRange(query);
  const conditions = [
    sql`debt.tenant_id = ${query.tenantId} and debt.due_date between ${from}::date and ${through}::date`,
  ];
  if (query.connection_id !== undefined) conditions.push(sql`debt.connection_id = ${query.connection_id}`);
  if (query.collectible !== undefined) conditions.push(query.collectible ? sql`debt.collectible` : NOT_COLLECTIBLE);
  // The second condition has the debts' partial indexes answer the first.
  if (query.not_collectible_reason !== undefined)
    conditions.push(sql`${sql.ref(`debt.${reason}`)} = ${query.not_collectible_reason} and ${NOT_COLLECTIBLE}`);
  return sql.join(conditions, sql` and `);
}

/** Condition on the currency of a row. */
export const inCurrency = ({ currency }: Pick<AgingQuery, "currency">, column: string) =>
  currency === undefined ? sql`true` : sql`${sql.ref(column)} = ${currency}`;

const NOT_COLLECTIBLE = sql`not debt.collectible`;

/** Condition on a debt and its customer. */
function isExpected({ no_expected_date: why, expected_from: from, expected_to: to, reportDate }: AgingQuery) {
  const [date, isPast] = [expectedDate("debt", "owner", reportDate), isPastExpected("debt", "owner", reportDate)];
  const conditions = [sql`true`];
  if (why !== undefined) conditions.push(sql`${date} is null and ${isPast} = ${why === "past"}`);
  if (from !== undefined || to !== undefined)
    conditions.push(sql`${date} between ${from ?? "-infinity"}::date and ${to ?? "infinity"}::date`);
  return sql.join(conditions, sql` and `);
}

const isPast = ({ reportDate, history }: AgingQuery) =>
  history ? isPastExpected("debt", "owner", reportDate) : sql`false`;

/** What is known of how a customer pays, as rows of `aging_customers` have it. */
const HISTORY = sql.raw("paid_installments, median_days_late, average_days_late, on_time_share, late_rank");

const inBucket = (figure: SqlPart, place: BucketPlace) =>
  sql`coalesce(${figure} filter (where bucket = ${sql.lit(place)}), 0)`;

/** Sums of rows with a bucket, in the columns of the roll-up. */
const figures = (amount: SqlPart, debts: SqlPart, digest: SqlPart) =>
  sql.join(
    BUCKET_PLACES.map(
      (place) => sql`${inBucket(amount, place)} as ${sql.ref(`amount_${place}`)},
        ${inBucket(debts, place)} as ${sql.ref(`debts_${place}`)}, ${inBucket(digest, place)} as ${sql.ref(`digest_${place}`)}`,
    ),
  );

/** `matched`: sums by currency of the days that match. */
export function matchedDays(query: AgingQuery) {
  return sql`chosen as (${chosenDays(query)}),
    matched as materialized (
      select currency, 0 as identity, ${figures(sql`sum(amount)`, sql`sum(debts)`, sql`sum(digest)`)}
      from chosen group by currency
    )`;
}

const chosenDays = (query: AgingQuery) => sql`
  select *, ${bucketOn(query.reportDate)} as bucket from aging_days as debt where ${debtConditions(query, "reason")}
    and debt.debts > 0 and ${inCurrency(query, "debt.currency")}`;

/**
 * `chosen`: the debts that match, with their customers; `matched`: what they come to, as rows of `aging_customers`. The
 * digest of each debt holds the customer's identity, as in `aging_days`.
 */
export function matchedDebts(query: AgingQuery, slice: Slice) {
  const { reportDate } = query;
  const count = (which: SqlPart) => sql`count(distinct invoice_id) filter (where ${which})`;
  const sumOf = (places: readonly BucketPlace[]) =>
    sql`-coalesce(sum(amount) filter (where bucket = any(${sql.lit(`{${places.join(",")}}`)}::int[])), 0)`;
  const named = sql`debt.*, owner.customer_key, owner.customer_name, owner.customer_number as owner_number, owner.sort_name,
    ${HISTORY}, ${isPast(query)} as is_past`;
  return sql`${ownersAnd(query, slice)} chosen as materialized (${chosen(query, named)}),
    matched as materialized (
      select currency, customer_key, customer_id, customer_name, owner_number as customer_number, connection_id, sort_name,
        ${HISTORY}, 0 as identity, 0 as history, ${figures(sql`sum(amount)`, sql`count(*)`, sql`sum(whole_digest)`)},
        ${sql.join(BUCKET_PLACES.map((n) => sql`${count(sql`bucket = ${sql.lit(n)}`)} as ${sql.ref(`invoices_${n}`)}`))},
        ${count(sql`bucket > 0`)} as invoices_overdue, ${count(sql`true`)} as invoices_all,
        ${sql.join(BUCKET_PLACES.map((n) => sql`${sumOf([n])} as ${sql.ref(`rank_${n}`)}`))},
        ${sumOf([1, 2, 3, 4])} as rank_overdue, ${sumOf(BUCKET_PLACES)} as rank_all,
        ${daysOverdue(reportDate, sql`min(due_date)`)} as oldest, coalesce(sum(amount) filter (where is_past), 0) as past_expected
      from chosen
      group by currency, customer_key, customer_id, customer_name, owner_number, connection_id, sort_name, ${HISTORY}
    )`;
}

/**
 * `matched` for who asks for totals and no rows: what the debts that match come to by currency. They are added up in one pass,
 * which a server may share out, and not kept.
 */
export function summedDebts(query: AgingQuery, slice: Slice) {
  return sql`${ownersAnd(query, slice)} chosen as not materialized (
      ${chosen(query, sql`debt.currency, debt.connection_id, debt.amount, ${isPast(query)} as is_past`)}
    ),
    summed as (
      select currency, connection_id, bucket, sum(amount) as amount, count(*) as debts, sum(whole_digest) as digest,
        coalesce(sum(amount) filter (where is_past), 0) as past_expected
      from chosen group by currency, connection_id, bucket
    ),
    matched as materialized (
      select currency, 0 as identity, 0 as history, ${figures(sql`sum(amount)`, sql`sum(debts)`, sql`sum(digest)`)},
        sum(past_expected) as past_expected, ${OLDEST} as as_of, null::uuid as connection_id
      from ${withErps(query.tenantId, "summed")} group by currency
    )`;
}

/** `chosen`: the debts that match, each by itself, with what groups of them go by. */
export function debtsToGroup(query: AgingQuery, slice: Slice) {
  const columns = sql`debt.currency, debt.connection_id, debt.amount, 1 as debts, debt.due_date, debt.collectible,
    coalesce(debt.not_collectible_reason, '') as reason, ${expectedDate("debt", "owner", query.reportDate)} as expected_date`;
  return sql`${ownersAnd(query, slice)} chosen as (${chosen(query, columns)})`;
}

/** The same of the sums by due day, which tell no ERP and no customer. */
export const daysToGroup = (query: AgingQuery) => sql`chosen as (${chosenDays(query)})`;

/** `owners`: the customers that a search finds, where there is one. */
const ownersAnd = (query: AgingQuery, slice: Slice) =>
  query.search === undefined ? sql`` : sql`${customersNamed("owners", query, slice)},`;

/**
 * Columns of the debts that match and of their customers. Joined to the table, not to `owners`: a planner that cannot know how
 * many those are compares each of them with each debt.
 */
const chosen = (query: AgingQuery, columns: SqlPart) =>
  sql`select ${columns}, debt.digest + owner.identity ${query.history ? sql`+ owner.history` : sql``} as whole_digest,
      ${bucketOn(query.reportDate)} as bucket
    from (${candidates(query)}) as debt join aging_customers as owner
      on owner.tenant_id = ${query.tenantId} and owner.customer_key = ${keyOf("debt")} and owner.currency = debt.currency
    where ${isExpected(query)}`;

/** Debts that match but for the customers' names: of one customer, of those that a search put in `owners`, or of all. */
function candidates(query: AgingQuery) {
  const { tenantId, currency, customer_key: customerKey, search } = query;
  const from = (which: SqlPart) =>
    sql`select debt.* from aging_debts as debt where ${debtConditions(query, "not_collectible_reason")} and ${which}
      and ${inCurrency(query, "debt.currency")}`;
  // The customers found are of the customer that was asked for already.
  if (search !== undefined) return ofCustomersIn("owners", from);
  if (customerKey !== undefined) return from(isOf(customerKey));
  // Their index begins with the currency.
  return from(currency === undefined ? sql`debt.currency = any(${allCurrencies(tenantId)})` : sql`true`);
}

const allCurrencies = (tenantId: string) => sql`array(select currency from aging_totals where tenant_id = ${tenantId})`;

/** Debts of the customers in a table, each kind of them along its index. */
export function ofCustomersIn(table: "matched" | "owners", debtsWhere: (which: SqlPart) => SqlPart) {
  const owners = sql.table(table);
  const ownInvoice = sql`substr(customer_key, ${sql.lit(UNASSIGNED.length + 1)})::uuid`;
  return sql`
    ${debtsWhere(sql`debt.customer_id = any(array(select customer_id from ${owners} where customer_id is not null))`)}
    union all
    ${debtsWhere(sql`debt.customer_id is null
      and debt.invoice_id = any(array(select ${ownInvoice} from ${owners} where customer_id is null))`)}`;
}

/** True for the debts of a customer, or of the invoice that is its own. */
export function isOf(customerKey: string) {
  return customerKey.startsWith(UNASSIGNED)
    ? sql`debt.customer_id is null and debt.invoice_id = ${customerKey.slice(UNASSIGNED.length)}::uuid`
    : sql`debt.customer_id = ${customerKey}::uuid`;
}

import { sql } from "kysely";
import { DEBT_COLUMNS } from "../../store/aging/counted-debts.ts";
import { daysOverdue } from "../../store/aging/days-overdue.ts";
import { customerKey as keyOf, type SqlPart } from "../../store/aging/rollup-parts.ts";
import { isLiveLink } from "../../store/live-links.ts";
import { columns } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";
import {
  type AgingInstallmentRecord,
  type AgingList,
  type AgingPage,
  type AgingQuery,
  type AgingTotal,
  type InstallmentPlace,
  NO_ROWS,
} from "./aging-query.ts";
import { debtConditions, type Grain, grainOf, inCurrency, isOf, ofCustomersIn } from "./debt-queries.ts";
import { expectedDate, isPastExpected } from "./expected-date-queries.ts";
import { INSTALLMENT_ORDER } from "./row-order-queries.ts";
import { type Slice, sliceOf } from "./slice.ts";
import { asOfRow } from "./source-queries.ts";
import { onlyTotals, tables } from "./total-queries.ts";

/** Up to this many debts of the customers a search found are sorted; above it, all debts are read in index order. */
const FEW = 10_000;

/** A page of debts and the totals of all of them. */
export async function readInstallments(
  tx: Transaction,
  query: AgingQuery,
  page: AgingPage<InstallmentPlace>,
): Promise<AgingList<AgingInstallmentRecord>> {
  const slice = sliceOf(query);
  if (slice === null) return NO_ROWS;
  const grain = grainOf(query);
  const reading = { query, slice, grain };
  if (grain === "debts") return read(tx, reading, chosenDebts(query, page));
  if (query.search === undefined) return read(tx, reading, debts(query, page));
  const found = await totalsOf(tx, query, slice);
  const rowCount = countOf(found);
  const rows = rowCount <= FEW ? debtsOfMatched(query, page) : debts(query, page, MATCHES);
  return { ...(await read(tx, reading, rows)), totals: found, rowCount };
}

/** Totals by currency. */
export async function readTotals(tx: Transaction, query: AgingQuery): Promise<AgingTotal[]> {
  const slice = sliceOf(query);
  return slice === null ? [] : totalsOf(tx, query, slice);
}

async function totalsOf(tx: Transaction, query: AgingQuery, slice: Slice) {
  const { rows } = await sql<AgingTotal>`
    with ${onlyTotals(query, slice)} select * from totals order by currency`.execute(tx);
  return rows;
}

const countOf = (found: readonly AgingTotal[]) => found.reduce((count, total) => count + total.row_count, 0);

interface Reading {
  readonly query: AgingQuery;
  readonly slice: Slice;
  readonly grain: Grain;
}

async function read(
  tx: Transaction,
  { query, slice, grain }: Reading,
  page: SqlPart,
): Promise<AgingList<AgingInstallmentRecord>> {
  const { tenantId, reportDate } = query;
  const { rows } = await sql<{ totals: AgingTotal[]; rows: AgingInstallmentRecord[] }>`
    with ${tables(query, slice, grain)},
    page as materialized (select *, ${keyOf("first")} as customer_key from (${page}) as first)
    select
      (select coalesce(json_agg(totals order by currency), '[]') from totals) as totals,
      (select coalesce(json_agg(shown), '[]') from (
        select page.customer_key, page.customer_id, customer.customer_name, page.customer_number, page.invoice_id,
          page.invoice_number, nullif(debt_id, page.invoice_id) as installment_id, page.sequence_number,
          installment_count as invoice_installment_count, amount::text, page.currency, page.due_date,
          ${daysOverdue(reportDate, sql`page.due_date`)} as days_overdue, page.collectible, page.not_collectible_reason,
          ${asOfRow(tenantId, "page")} as as_of, ${factsOf(tenantId)} as facts ${query.history ? habits(reportDate) : sql``}
        from page join aging_customers as customer on customer.tenant_id = ${tenantId}
          and customer.customer_key = page.customer_key and customer.currency = page.currency
        join invoices as invoice on invoice.tenant_id = ${tenantId} and invoice.invoice_id = page.invoice_id
        left join installments as part on part.tenant_id = ${tenantId} and part.installment_id = page.debt_id
        order by page.due_date, page.invoice_id, coalesce(page.sequence_number, 2147483647), debt_id
      ) as shown) as rows`.execute(tx);
  const [found = { totals: [], rows: [] }] = rows;
  return { ...found, rowCount: countOf(found.totals) };
}

const factsOf = (tenantId: string) => sql`json_build_object(
  'finalised', invoice.finalised, 'customer_email', invoice.customer_email, 'currency', invoice.currency,
  'is_chargeable', exists (select from payment_integrations as integration where integration.tenant_id = ${tenantId}
    and integration.status = 'connected' and invoice.currency = any(integration.currencies)),
  'excluded', coalesce(part.excluded, false), 'disputed', coalesce(part.disputed, false),
  'live_link_amounts', array(select link.amount::text from payment_links as link
    where link.tenant_id = ${tenantId} and link.installment_id = part.installment_id and ${isLiveLink("link")}))`;

const habits = (today: string) => sql`, paid_installments,
  ${expectedDate("page", "customer", today)} as expected_date, ${isPastExpected("page", "customer", today)} as past_expected`;

/** True for a debt of a customer in `matched`; wrapped so that the set is hashed once and the order kept. */
const MATCHES = sql`(${keyOf("debt")} in (select customer_key from matched)) is true`;

/** The first debts in order. Without a customer each currency's are read along the index, and merged. */
function debts(query: AgingQuery, page: AgingPage<InstallmentPlace>, matches: SqlPart = sql`true`) {
  const { tenantId, currency, customer_key: customerKey } = query;
  const first = (which: SqlPart) => sql`select debt.* from aging_debts as debt
    where ${inRange(query, page)} and ${matches} and ${which} order by ${INSTALLMENT_ORDER} limit ${page.limit + 1}`;
  if (customerKey !== undefined) return first(sql`${isOf(customerKey)} and ${inCurrency(query, "debt.currency")}`);
  if (currency !== undefined) return first(inCurrency(query, "debt.currency"));
  return sql`select debt.* from aging_totals as total cross join lateral (${first(sql`debt.currency = total.currency`)}) as debt
    where total.tenant_id = ${tenantId} order by ${INSTALLMENT_ORDER} limit ${page.limit + 1}`;
}

/** The same for the customers in `matched`, when they have few debts. */
function debtsOfMatched(query: AgingQuery, page: AgingPage<InstallmentPlace>) {
  const own = (which: SqlPart) =>
    sql`select debt.* from aging_debts as debt
      where ${inRange(query, page)} and ${which} and ${inCurrency(query, "debt.currency")}`;
  return sql`select * from (${ofCustomersIn("matched", own)}) as debt order by ${INSTALLMENT_ORDER} limit ${page.limit + 1}`;
}

/** The same of the debts in `chosen`. */
function chosenDebts({ tenantId }: AgingQuery, { after, limit }: AgingPage<InstallmentPlace>) {
  const beyond =
    after === null ? sql`true` : sql`(${INSTALLMENT_ORDER}) > ${placeOf(tenantId, after, INSTALLMENT_ORDER)}`;
  return sql`select ${columns(DEBT_COLUMNS)} from chosen where ${beyond} order by ${INSTALLMENT_ORDER} limit ${limit + 1}`;
}

/** Columns of the debt at a place. */
const placeOf = (tenantId: string, { invoiceId, installmentId }: InstallmentPlace, names: SqlPart) =>
  sql`(select ${names} from aging_debts where tenant_id = ${tenantId} and invoice_id = ${invoiceId}::uuid
    and debt_id = ${installmentId ?? invoiceId}::uuid)`;

/** Condition for the debts of a tenant that match, but for currency and customer, and come after a place. */
function inRange(query: AgingQuery, { after }: AgingPage<InstallmentPlace>) {
  const matching = debtConditions(query, "not_collectible_reason");
  if (after === null) return matching;
  const place = (names: SqlPart) => placeOf(query.tenantId, after, names);
  // The first comparison can use an index under row level security; the second is exact.
  return sql`${matching} and (debt.due_date, debt.invoice_id) >= ${place(sql`due_date, invoice_id`)}
    and (debt.due_date, debt.invoice_id, coalesce(debt.sequence_number, 2147483647), debt.debt_id) > ${place(INSTALLMENT_ORDER)}`;
}

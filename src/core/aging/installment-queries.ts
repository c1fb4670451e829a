import { type RawBuilder, sql } from "kysely";
import { customerKey as keyOf } from "../../store/aging/rollup-parts.ts";
import type { Transaction } from "../../store/store.ts";
import { dueDates, UNASSIGNED } from "./buckets.ts";
import type {
  AgingInstallmentRecord,
  AgingList,
  AgingPage,
  AgingQuery,
  AgingTotal,
  InstallmentPlace,
} from "./reader.ts";
import { isAboutCustomers, matchedCustomers, ownInvoiceOf, type Slice, totals } from "./total-queries.ts";

type Sql = RawBuilder<unknown>;

const ORDER = sql.raw("due_date, invoice_id, coalesce(sequence_number, 2147483647), debt_id");

/** Up to this many debts of the customers a search found are sorted; above it, all debts are read in index order. */
const FEW = 10_000;

/** A page of debts and the totals of all of them. */
export async function readInstallments(
  tx: Transaction,
  query: AgingQuery,
  slice: Slice,
  page: AgingPage<InstallmentPlace>,
): Promise<AgingList<AgingInstallmentRecord>> {
  if (query.search === undefined) return read(tx, query, slice, debts(query, page));
  const found = await readTotals(tx, query, slice);
  const rowCount = countOf(found);
  const rows = rowCount <= FEW ? debtsOfMatched(query, page) : debts(query, page, MATCHES);
  return { ...(await read(tx, query, slice, rows)), totals: found, rowCount };
}

/** Totals by currency. */
export async function readTotals(tx: Transaction, query: AgingQuery, slice: Slice): Promise<AgingTotal[]> {
  const { rows } = await sql<AgingTotal>`with ${tables(query, slice)} select * from totals order by currency`.execute(
    tx,
  );
  return rows;
}

const countOf = (found: readonly AgingTotal[]): number => found.reduce((count, total) => count + total.row_count, 0);

function tables(query: AgingQuery, slice: Slice): Sql {
  return isAboutCustomers(query)
    ? sql`${matchedCustomers(query, slice)}, ${totals(query, slice)}`
    : totals(query, slice);
}

async function read(
  tx: Transaction,
  query: AgingQuery,
  slice: Slice,
  page: Sql,
): Promise<AgingList<AgingInstallmentRecord>> {
  const { tenantId, reportDate } = query;
  const { rows } = await sql<{ totals: AgingTotal[]; rows: AgingInstallmentRecord[] }>`
    with ${tables(query, slice)},
    page as materialized (select *, ${keyOf("first")} as customer_key from (${page}) as first)
    select
      (select coalesce(json_agg(totals order by currency), '[]') from totals) as totals,
      (select coalesce(json_agg(shown), '[]') from (
        select page.customer_key, page.customer_id, customer.customer_name, customer.customer_number, invoice_id,
          invoice_number, nullif(debt_id, invoice_id) as installment_id, sequence_number,
          installment_count as invoice_installment_count, amount::text, page.currency, due_date,
          ${reportDate}::date - due_date as days_overdue, collectible
        from page join aging_customers as customer on customer.tenant_id = ${tenantId}
          and customer.customer_key = page.customer_key and customer.currency = page.currency
        order by ${ORDER}
      ) as shown) as rows`.execute(tx);
  const [found = { totals: [], rows: [] }] = rows;
  return { ...found, rowCount: countOf(found.totals) };
}

/** True for a debt of a customer in `matched`; wrapped so that the set is hashed once and the order kept. */
const MATCHES = sql`(${keyOf("debt")} in (select customer_key from matched)) is true`;

/** The first debts in order. Without a customer each currency's are read along the index, and merged. */
function debts(query: AgingQuery, page: AgingPage<InstallmentPlace>, matches: Sql = sql`true`): Sql {
  const { tenantId, currency, customerKey } = query;
  const first = (which: Sql): Sql => sql`select debt.* from aging_debts as debt
    where ${inRange(query, page)} and ${matches} and ${which} order by ${ORDER} limit ${page.limit + 1}`;
  const inCurrency = (code: Sql): Sql => sql`debt.currency = ${code}`;
  if (customerKey !== undefined) {
    const invoiceId = ownInvoiceOf(customerKey);
    const own =
      invoiceId === null
        ? sql`debt.customer_id = ${customerKey}::uuid`
        : sql`debt.customer_id is null and debt.invoice_id = ${invoiceId}::uuid`;
    return first(currency === undefined ? own : sql`${own} and ${inCurrency(sql`${currency}`)}`);
  }
  if (currency !== undefined) return first(inCurrency(sql`${currency}`));
  return sql`select debt.* from aging_totals as total cross join lateral (${first(inCurrency(sql`total.currency`))}) as debt
    where total.tenant_id = ${tenantId} order by ${ORDER} limit ${page.limit + 1}`;
}

/** The same for the customers in `matched`, when they have few debts. */
function debtsOfMatched(query: AgingQuery, page: AgingPage<InstallmentPlace>): Sql {
  const { currency } = query;
  const own = (which: Sql): Sql => sql`select debt.* from aging_debts as debt where ${inRange(query, page)} and ${which}
    and ${currency === undefined ? sql`true` : sql`debt.currency = ${currency}`}`;
  return sql`select * from (
      ${own(sql`debt.customer_id = any(array(select customer_id from matched where customer_id is not null))`)}
      union all
      ${own(sql`debt.customer_id is null and debt.invoice_id = any(array(
        select substr(customer_key, ${sql.lit(UNASSIGNED.length + 1)})::uuid from matched where customer_id is null))`)}
    ) as debt order by ${ORDER} limit ${page.limit + 1}`;
}

/** Condition for the debts of a tenant in the report's buckets that come after a place. */
function inRange({ tenantId, buckets, reportDate }: AgingQuery, { after }: AgingPage<InstallmentPlace>): Sql {
  const { from, through } = dueDates(buckets, reportDate);
  const due = sql`debt.tenant_id = ${tenantId} and debt.due_date between ${from}::date and ${through}::date`;
  if (after === null) return due;
  const debtId = after.installmentId ?? after.invoiceId;
  const place = (columns: Sql): Sql => sql`(select ${columns} from aging_debts where tenant_id = ${tenantId}
    and invoice_id = ${after.invoiceId}::uuid and debt_id = ${debtId}::uuid)`;
  // The first comparison can use an index under row level security; the second is exact.
  return sql`${due} and (debt.due_date, debt.invoice_id) >= ${place(sql`due_date, invoice_id`)}
    and (debt.due_date, debt.invoice_id, coalesce(debt.sequence_number, 2147483647), debt.debt_id) > ${place(ORDER)}`;
}

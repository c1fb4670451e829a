import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Transaction } from "../../store/store.ts";
import { UNNAMED_CUSTOMER } from "../text.ts";
import type {
  AgingList,
  AgingQuery,
  AgingReader,
  AgingTotal,
  AgingWorkspace,
  CustomerRecord,
  InstallmentRecord,
} from "./reader.ts";
import { BUCKET_STARTS, BUCKETS, dueDates, UNASSIGNED, UNKNOWN_CURRENCY } from "./rules.ts";
import type { CustomerSort } from "./schema.ts";

/** Everything a row of the installment report shows, but what follows from it and the report's date. */
const CONTENT = sql`row(
  customer_id, customer_name, customer_number, invoice_id, invoice_number, installment_id, sequence_number,
  invoice_installment_count, amount, currency, due_date, collectible
)`;

/** Sums of `amount` as exact text. */
const AMOUNTS = sql.join([
  sql`sum(amount)::text as outstanding`,
  sql`coalesce(sum(amount) filter (where bucket > 0), 0)::text as overdue`,
  ...BUCKETS.map(
    (bucket, index) =>
      sql`coalesce(sum(amount) filter (where bucket = ${sql.lit(index)}), 0)::text as ${sql.ref(bucket)}`,
  ),
]);

/** Orders of customers, all ascending, so that a comparison of rows finds the next page. */
const CUSTOMER_ORDERS: Record<CustomerSort, RawBuilder<unknown>> = {
  overdue_desc: sql`currency, -overdue::numeric, -outstanding::numeric, customer_key`,
  outstanding_desc: sql`currency, -outstanding::numeric, -overdue::numeric, customer_key`,
  customer_asc: sql`currency, sort_name, customer_key`,
};

const INSTALLMENT_ORDER = sql`due_date, invoice_id, coalesce(sequence_number, 2147483647), coalesce(installment_id, invoice_id)`;

/** Reads the report straight from invoices and installments. */
export const ledgerReader: AgingReader = {
  async workspace(tx, tenantId) {
    const { rows } = await sql<{ timezone: string; currencies: string[]; data_updated_at: string | null }>`
      select timezone,
        (select coalesce(json_agg(currency order by currency), '[]') from (
          select distinct coalesce(currency, ${sql.lit(UNKNOWN_CURRENCY)}) collate "C" as currency
          from invoices where tenant_id = ${tenantId} and retired_at is null
        ) as found) as currencies,
        (select max(updated_at) from invoices where tenant_id = ${tenantId}) as data_updated_at
      from tenants where tenant_id = ${tenantId}`.execute(tx);
    const [found] = rows;
    if (found === undefined) throw new Error("the workspace is gone");
    return {
      timezone: found.timezone,
      currencies: found.currencies,
      dataUpdatedAt: found.data_updated_at,
    } satisfies AgingWorkspace;
  },

  async totals(tx, query) {
    const { rows } = await sql<AgingTotal>`
      with ${live(query)}, ${TOTALS} select * from totals order by currency`.execute(tx);
    return rows;
  },

  customers(tx, query, { after, limit, sort }) {
    const order = CUSTOMER_ORDERS[sort];
    const place =
      after &&
      sql`select ${order} from customers where currency = ${after.currency} and customer_key = ${after.customerKey}`;
    return list<CustomerRecord>(tx, {
      tables: sql`${live(query)}, ${TOTALS}, customers as (
        select currency, customer_key, customer_id, customer_name, customer_number, sort_name,
          count(distinct invoice_id)::integer as invoice_count, count(*)::integer as installment_count, ${AMOUNTS}
        from live group by currency, customer_key, customer_id, customer_name, customer_number, sort_name
      )`,
      from: sql`customers`,
      columns: sql`*`,
      order,
      place,
      limit,
    });
  },

  installments(tx, query, { after, limit }) {
    const order = INSTALLMENT_ORDER;
    const place =
      after &&
      sql`select ${order} from live where invoice_id = ${after.invoiceId}::uuid
        and installment_id is not distinct from ${after.installmentId}::uuid`;
    return list<InstallmentRecord>(tx, {
      tables: sql`${live(query)}, ${TOTALS}`,
      from: sql`live`,
      columns: sql`customer_key, customer_id, customer_name, customer_number, invoice_id, invoice_number,
        installment_id, sequence_number, invoice_installment_count, amount::text, currency, due_date, days_overdue,
        collectible`,
      order,
      place,
      limit,
    });
  },
};

interface List {
  tables: RawBuilder<unknown>;
  from: RawBuilder<unknown>;
  columns: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
  place: RawBuilder<unknown> | null;
  limit: number;
}

async function list<Row>(
  tx: Transaction,
  { tables, from, columns, order, place, limit }: List,
): Promise<AgingList<Row>> {
  const { rows } = await sql<AgingList<Row>>`
    with ${tables}
    select
      (select coalesce(json_agg(totals order by currency), '[]') from totals) as totals,
      (select count(*)::integer from ${from}) as "rowCount",
      (select coalesce(json_agg(page), '[]') from (
        select ${columns} from ${from} ${place === null ? sql`` : sql`where (${order}) > (${place})`}
        order by ${order} limit ${limit + 1}
      ) as page) as rows`.execute(tx);
  return rows[0] ?? { totals: [], rows: [], rowCount: 0 };
}

/**
 * The digest is a sum over rows, so that their order has no part in it. What is summed is two hashes of 64 bits of
 * each row's whole content, never hashes of its parts: values that two rows exchange must show.
 */
const TOTALS = sql`totals as (
  select currency, count(*)::integer as row_count, ${AMOUNTS},
    sum(hashtextextended(content, 0)) || ',' || sum(hashtextextended(content, 1)) as digest
  from live group by currency
)`;

/** `live`: one row for each debt that counts (service.md §4.10 rules 1 to 3) and that the filters let through. */
function live(query: AgingQuery): RawBuilder<unknown> {
  const { tenantId, reportDate, buckets } = query;
  const { from, through } = dueDates(buckets, reportDate);
  return sql`known as materialized (
    select invoice.invoice_id, invoice.customer_id,
      coalesce(invoice.customer_id::text, ${sql.lit(UNASSIGNED)} || invoice.invoice_id::text) collate "C" as customer_key,
      case when customer.customer_id is null
        then coalesce(invoice.customer_name, invoice.customer_number, ${sql.lit(UNNAMED_CUSTOMER)})
        else coalesce(customer.name, customer.number, ${sql.lit(UNNAMED_CUSTOMER)})
      end as customer_name,
      case when customer.customer_id is null then invoice.customer_number else customer.number end as customer_number,
      coalesce(customer.sort_name, invoice.sort_name) collate "C" as sort_name,
      coalesce(invoice.invoice_number, '') as invoice_number,
      coalesce(invoice.currency, ${sql.lit(UNKNOWN_CURRENCY)}) collate "C" as currency,
      (
        select count(*)::integer from installments as sibling where sibling.tenant_id = ${tenantId}
          and sibling.invoice_id = invoice.invoice_id and sibling.removed_at is null
      ) as invoice_installment_count,
      case when not invoice.has_installments then invoice.due_date end as own_due_date,
      invoice.collection_outstanding as own_amount
    from invoices as invoice
    left join customers as customer on customer.tenant_id = ${tenantId} and customer.customer_id = invoice.customer_id
    where invoice.tenant_id = ${tenantId} and invoice.retired_at is null and ${filters(query)}
  ),
  owing as (
    select known.*, installment_id, sequence_number, due_date, collection_outstanding as amount, collectible
    from known join installments on installments.tenant_id = ${tenantId} and installments.invoice_id = known.invoice_id
    where removed_at is null and not closed and collection_outstanding > 0
      and due_date between ${from}::date and ${through}::date
    union all
    select known.*, null, null, own_due_date as due_date, own_amount, false
    from known where own_amount > 0 and own_due_date between ${from}::date and ${through}::date
  ),
  live as materialized (
    select *, ${reportDate}::date - due_date as days_overdue,
      width_bucket(${reportDate}::date - due_date, array[${sql.join(BUCKET_STARTS.map(sql.lit))}]) as bucket,
      -- Numbers that are equal hash alike, whatever their scale.
      hash_record_extended(${CONTENT}, 0) || ',' || hash_record_extended(${CONTENT}, 1) as content
    from owing
  )`;
}

function filters({ currency, search, customerKey }: AgingQuery): RawBuilder<SqlBool> {
  const conditions: RawBuilder<SqlBool>[] = [sql`true`];
  if (currency !== undefined)
    conditions.push(sql`coalesce(invoice.currency, ${sql.lit(UNKNOWN_CURRENCY)}) = ${currency}`);
  if (search !== undefined) {
    // A line break stands between name and number, and in neither of them.
    const found = sql<SqlBool>`strpos(coalesce(customer.search_text, invoice.search_text), ${search}) > 0`;
    conditions.push(search.includes("\n") ? sql`false` : found);
  }
  if (customerKey?.startsWith(UNASSIGNED)) {
    const invoiceId = customerKey.slice(UNASSIGNED.length);
    conditions.push(sql`invoice.customer_id is null and invoice.invoice_id = ${invoiceId}`);
  } else if (customerKey !== undefined) {
    conditions.push(sql`invoice.customer_id = ${customerKey}`);
  }
  return sql.join(conditions, sql` and `);
}

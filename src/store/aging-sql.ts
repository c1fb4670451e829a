import {
  BUCKET_PLACES,
  BUCKET_STARTS,
  type BucketPlace,
  UNASSIGNED,
  UNKNOWN_CURRENCY,
  UNNAMED_CUSTOMER,
} from "./aging-terms.ts";

/** One expression for each bucket, separated by commas. */
export const each = (expression: (place: BucketPlace) => string): string => BUCKET_PLACES.map(expression).join(", ");

/** Hash of text as a number of 128 bits. */
const digest = (text: string): string =>
  `hashtextextended(${text}, 0)::numeric * 18446744073709551616 + hashtextextended(${text}, 1)`;

/**
 * A row's content in few characters: amounts that are equal are alike, whatever their scale. Hashes of rows are sums over
 * their columns, so that they must not be added up themselves: values that two rows exchange have to show.
 */
const contentOf = (row: string): string => `hash_record_extended(${row}, 0) || ',' || hash_record_extended(${row}, 1)`;

/** Key of the customer that a row with `customer_id` and `invoice_id` is of (service.md §2.6). */
export const customerKey = (alias: string): string =>
  `coalesce(${alias}.customer_id::text, '${UNASSIGNED}' || ${alias}.invoice_id::text)`;

/** Columns of `aging_debts` but the tenant, those of its key first. */
export const DEBT_COLUMNS: readonly string[] = [
  ...["invoice_id", "debt_id", "customer_id", "currency", "due_date", "amount", "sequence_number"],
  ...["installment_count", "collectible", "invoice_number", "digest"],
];

/**
 * `fresh`: the debts that count (service.md §4.10 rules 1 to 3) of the invoices that a condition on `invoice_id` lets through,
 * as rows of `aging_debts`. Here and below `$1` is the tenant.
 */
export const freshDebts = (which: string): string => `
  known as materialized (
    select invoice.invoice_id, invoice.customer_id, coalesce(invoice.invoice_number, '') as invoice_number,
      coalesce(invoice.currency, '${UNKNOWN_CURRENCY}') collate "C" as currency, invoice.has_installments,
      invoice.due_date, invoice.collection_outstanding
    from invoices as invoice where invoice.tenant_id = $1 and invoice.retired_at is null and ${which}
  ),
  parts as (
    select known.invoice_id, known.customer_id, known.invoice_number, known.currency, part.installment_id as debt_id,
      part.sequence_number, part.due_date, part.collection_outstanding as amount, part.collectible, part.closed,
      count(*) over (partition by known.invoice_id)::integer as installment_count
    from known join installments as part on part.tenant_id = $1 and part.invoice_id = known.invoice_id
    where part.removed_at is null
  ),
  counted as (
    select invoice_id, debt_id, customer_id, currency, due_date, amount, sequence_number, installment_count, collectible,
      invoice_number
    from parts where not closed and amount > 0 and due_date is not null
    union all
    select invoice_id, invoice_id, customer_id, currency, due_date, collection_outstanding, null, 0, false, invoice_number
    from known where not has_installments and collection_outstanding > 0 and due_date is not null
  ),
  hashed as (select *, ${contentOf("counted")} as content from counted),
  fresh as materialized (select *, ${digest("content")} as digest from hashed)`;

/** One row for each debt of a table: its bucket on a day, counted `sign` times. */
export const aged = (table: string, day: string, sign: 1 | -1): string => `
  select ${sign} as sign, invoice_id, customer_id, currency, amount, digest,
    width_bucket(${day}::date - due_date, array[${BUCKET_STARTS.join(", ")}]) as bucket
  from ${table}`;

/**
 * `changes`: figures of `aging_customers` that the rows of `debts` (see {@link aged}) come to, by customer and currency.
 * Invoices are counted whole, so that all debts of one have to be there.
 */
export const changesOf = (debts: string): string => `
  moves as (${debts}),
  invoices_moved as (
    select sign, invoice_id, customer_id, currency,
      ${each((n) => `coalesce(sum(amount) filter (where bucket = ${n}), 0) as amount_${n}`)},
      ${each((n) => `count(*) filter (where bucket = ${n}) as debts_${n}`)},
      ${each((n) => `coalesce(sum(digest) filter (where bucket = ${n}), 0) as digest_${n}`)}
    from moves group by sign, invoice_id, customer_id, currency
  ),
  changes as materialized (
    select ${customerKey("moved")} collate "C" as customer_key, customer_id,
      case when customer_id is null then invoice_id end as own_invoice_id, currency,
      ${each((n) => `sum(sign * amount_${n}) as amount_${n}`)},
      ${each((n) => `sum(sign * debts_${n})::integer as debts_${n}`)},
      ${each((n) => `sum(sign * digest_${n}) as digest_${n}`)},
      ${each((n) => `sum(sign * (debts_${n} > 0)::integer)::integer as invoices_${n}`)},
      sum(sign * (debts_1 + debts_2 + debts_3 + debts_4 > 0)::integer)::integer as invoices_overdue,
      sum(sign)::integer as invoices_all
    from invoices_moved as moved group by 1, 2, 3, 4
  )`;

/** Figures of a row of `aging_customers`. */
const FIGURES: readonly string[] = [
  ...["amount", "debts", "digest", "invoices"].flatMap((kind) => BUCKET_PLACES.map((n) => `${kind}_${n}`)),
  "invoices_overdue",
  "invoices_all",
];

/** Columns of `aging_customers` that are written, those of its key first. */
export const CUSTOMER_COLUMNS: readonly string[] = [
  ...["customer_key", "currency", "customer_id", "customer_name", "customer_number", "search_text", "sort_name"],
  "identity",
  ...FIGURES,
];

/**
 * `after`: rows of `aging_customers` as they will be, of the customers and currencies of a table `affected`: what they are
 * (`before`) and what `changes` say. The names are those of the moment.
 */
export const customersAfter = (before: string): string => `
  before as materialized (${before}),
  named as (
    select affected.customer_key, affected.currency, affected.customer_id,
      case when affected.customer_id is null
        then coalesce(own.customer_name, own.customer_number, '${UNNAMED_CUSTOMER}')
        else coalesce(customer.name, customer.number, '${UNNAMED_CUSTOMER}')
      end as customer_name,
      case when affected.customer_id is null then own.customer_number else customer.number end as customer_number,
      coalesce(customer.search_text, own.search_text, '') as search_text,
      coalesce(customer.sort_name, own.sort_name, '') collate "C" as sort_name
    from affected
    left join customers as customer on customer.tenant_id = $1 and customer.customer_id = affected.customer_id
    left join invoices as own on own.tenant_id = $1 and own.invoice_id = affected.own_invoice_id
  ),
  identified as (
    select *, ${contentOf("row(customer_key, customer_name, customer_number)")} as content from named
  ),
  after as materialized (
    select identified.*, ${digest("content")} as identity,
      ${FIGURES.map((name) => `coalesce(before.${name}, 0) + coalesce(changes.${name}, 0) as ${name}`).join(", ")}
    from identified left join before using (customer_key, currency) left join changes using (customer_key, currency)
  )`;

/** Columns of `aging_totals` but the currency. */
export const TOTAL_FIGURES: readonly string[] = [
  ...["amount", "debts", "digest", "customers"].flatMap((kind) => BUCKET_PLACES.map((n) => `${kind}_${n}`)),
  "customers_overdue",
  "customers_all",
];

/** The digest of a customer's debts in a bucket. Their name and number stand in each of those debts, and are part of it. */
export const effectiveDigest = (place: BucketPlace): string =>
  `(digest_${place} + case when debts_${place} > 0 then identity else 0 end)`;

/** What rows of a table like `aging_customers` add to the totals of their currency, `sign` times. */
export const totalsOf = (table: string, sign: 1 | -1): string => `
  select currency, ${each((n) => `${sign} * amount_${n} as amount_${n}`)},
    ${each((n) => `${sign} * debts_${n} as debts_${n}`)},
    ${each((n) => `${sign} * ${effectiveDigest(n)} as digest_${n}`)},
    ${each((n) => `${sign} * (debts_${n} > 0)::integer as customers_${n}`)},
    ${sign} * (invoices_overdue > 0)::integer as customers_overdue,
    ${sign} * (invoices_all > 0)::integer as customers_all
  from ${table}`;

import { sql } from "kysely";
import { BUCKET_PLACES } from "./bucket-starts.ts";
import { newestNames } from "./counted-debts.ts";
import { PAST_FIGURES, pastMoves, pastReckonings, pastsOf } from "./past-expected.ts";
import { learnedHistories, usualDelay } from "./payment-history.ts";
import { contentOf, digest, type SqlPart } from "./rollup-parts.ts";
import { UNNAMED_CUSTOMER } from "./unknown-names.ts";

/** Figures of a row of `aging_customers`. */
export const CUSTOMER_FIGURES: readonly string[] = [
  ...PAST_FIGURES,
  ...["amount", "debts", "digest", "invoices"].flatMap((kind) => BUCKET_PLACES.map((n) => `${kind}_${n}`)),
  "invoices_overdue",
  "invoices_all",
];

/** Columns of `aging_customers` that tell how a customer pays (completions §10), and a hash of them, 0 without a payment. */
const HISTORY: readonly string[] = [
  ...["paid_installments", "median_days_late", "average_days_late", "on_time_share"],
  "history",
];

/** Columns of `aging_customers` that are written, those of its key first. */
export const CUSTOMER_COLUMNS: readonly string[] = [
  ...["customer_key", "currency", "customer_id", "customer_name", "customer_number"],
  ...["connection_id", "search_text", "sort_name"],
  "identity",
  ...HISTORY,
  ...CUSTOMER_FIGURES,
];

/** A figure after the change. */
function figureAfter(name: string) {
  const parts = ["before", "changes", ...(PAST_FIGURES.includes(name) ? ["pasts"] : [])];
  const values = parts.map((table) => sql`coalesce(${sql.ref(`${table}.${name}`)}, 0)`);
  return sql`${sql.join(values, sql` + `)} as ${sql.ref(name)}`;
}

/** A column of a payment history after the change; two of them are zero, and the others null, without a payment. */
function historyAfter(name: string) {
  const found = sql.ref(`learned.${name}`);
  const learned = name === "paid_installments" || name === "history" ? sql`coalesce(${found}, 0)` : found;
  return sql`case when learns then ${learned} else ${sql.ref(`before.${name}`)} end as ${sql.ref(name)}`;
}

/** Where {@link customersAfter} takes names, earlier figures and payment histories from. */
interface CustomerSource {
  readonly tenantId: SqlPart;
  /** The day that payment histories end on, and that what should be in by now is counted for. */
  readonly day: SqlPart;
  /** Rows of `aging_customers` before the change; null where none is, and `moves` are all debts. */
  readonly before: SqlPart | null;
  /** Condition on `customer_key`: whose payment history may differ from that in `before`. */
  readonly relearned: SqlPart;
  /** Condition on `customer_key` and `currency`: whose names may differ from those in `before`. */
  readonly renamed: SqlPart;
}

/** False of the customer that stands for all invoices which name none (service.md §2.4): no name on them is its own. */
const isNamed = sql`customer.name is not null`;

/**
 * `after`: the new rows of `aging_customers` for the customers and currencies of a table `affected`: `before` plus `changes`,
 * with the customers' current names and payment histories, and what by these should be in of `moves` and of what is not `stale`.
 */
export const customersAfter = ({ tenantId, day, before, relearned, renamed }: CustomerSource): SqlPart => sql`
  before as materialized (${before ?? sql`select * from aging_customers where tenant_id = ${tenantId} and false`}),
  learning as (
    select distinct affected.customer_key, affected.customer_id,
      case when affected.customer_id is null then affected.own_invoice_id end as own_invoice_id
    from affected left join before using (customer_key, currency)
    where before.customer_key is null or ${relearned}
  ),
  ${learnedHistories(tenantId, day)},
  habits as materialized (
    select affected.customer_key, affected.currency, affected.customer_id, affected.own_invoice_id,
      ${usualDelay("before")} as was,
      case when learning.customer_key is null then ${usualDelay("before")} else ${usualDelay("learned")} end as usual
    from affected left join before using (customer_key, currency) left join learning using (customer_key)
      left join learned using (customer_key)
  ),
  ${pastsOf(before === null ? pastMoves : sql`${pastMoves} union all ${pastReckonings(tenantId, day)}`)},
  named as (
    select affected.customer_key, affected.currency, affected.customer_id,
      case when affected.customer_id is null
        then coalesce(own.customer_name, own.customer_number, ${sql.lit(UNNAMED_CUSTOMER)})
        else coalesce(
          case when ${isNamed} then newest.customer_name end, customer.name, split_part(customer.numbers, e'\\n', 1), ${sql.lit(UNNAMED_CUSTOMER)}
        )
      end as customer_name,
      case when affected.customer_id is null then own.customer_number else newest.customer_number end as customer_number,
      coalesce(customer.connection_id, own.connection_id) as connection_id,
      coalesce(customer.search_text, own.sort_name, '') as search_text,
      coalesce(case when ${isNamed} then newest.sort_name end, customer.sort_name, own.sort_name, '') collate "C" as sort_name
    from affected left join before using (customer_key, currency)
    left join customers as customer on customer.tenant_id = ${tenantId} and customer.customer_id = affected.customer_id
    left join lateral (
      select customer_name, customer_number, connection_id, sort_name from invoices
      where tenant_id = ${tenantId} and invoice_id = affected.own_invoice_id limit 1
    ) as own on true
    left join lateral (
      ${newestNames(tenantId, sql.ref("affected.customer_id"), sql.ref("affected.currency"))}
    ) as newest on true
    where before.customer_key is null or ${renamed}
    union all
    select customer_key, currency, customer_id, customer_name, customer_number, connection_id, search_text, sort_name
    from before where not (${renamed})
  ),
  identified as (
    select *, ${contentOf(sql`row(customer_key, customer_name, customer_number)`)} as content from named
  ),
  after as materialized (
    select identified.*, ${digest(sql`content`)} as identity, ${sql.join(HISTORY.map(historyAfter))},
      ${sql.join(CUSTOMER_FIGURES.map(figureAfter))}
    from identified left join before using (customer_key, currency) left join changes using (customer_key, currency)
      left join (select customer_key, true as learns from learning) as learning using (customer_key)
      left join learned using (customer_key) left join pasts using (customer_key, currency)
  )`;

import { sql } from "kysely";
import { contentOf, digest, type SqlPart } from "./rollup-parts.ts";
import { UNKNOWN_CURRENCY } from "./unknown-names.ts";

/** Columns of `aging_debts` but the tenant, those of its key first. */
export const DEBT_COLUMNS: readonly string[] = [
  ...["invoice_id", "debt_id", "customer_id", "currency", "due_date", "amount", "sequence_number"],
  ...["installment_count", "collectible", "not_collectible_reason", "invoice_number", "customer_number"],
  ...["connection_id", "digest"],
];

/** Whether some of `invoice` counts, as {@link freshDebts} has it. */
const isOwing = (tenantId: SqlPart): SqlPart => sql`case when invoice.has_installments
  then exists (
    select from installments as part where part.tenant_id = ${tenantId} and part.invoice_id = invoice.invoice_id
      and part.removed_at is null and not part.closed and part.collection_outstanding > 0 and part.due_date is not null
  )
  else invoice.collection_outstanding > 0 and invoice.due_date is not null end`;

/** Name and account number on a customer's newest invoice with a debt in a currency. */
export function newestNames(tenantId: SqlPart, customerId: SqlPart, currency: SqlPart) {
  const owing = sql`invoice.tenant_id = ${tenantId} and invoice.customer_id = ${customerId} and invoice.retired_at is null
    and coalesce(invoice.currency, ${sql.lit(UNKNOWN_CURRENCY)}) = ${currency} and ${isOwing(tenantId)}`;
  // An index has the latest instant, and only its invoices are ordered.
  return sql`
    select invoice.customer_name, invoice.customer_number,
      case when invoice.customer_name is not null then invoice.sort_name end as sort_name
    from invoices as invoice where ${owing} and invoice.created_at = (
      select invoice.created_at from invoices as invoice where ${owing}
      order by invoice.created_at desc, invoice.invoice_id desc limit 1
    )
    order by invoice.invoice_date desc nulls last, invoice.erp_invoice_id desc nulls last, invoice.invoice_id desc limit 1`;
}

/**
 * `fresh`: the debts that count (service.md §4.10 rules 1 to 3) of the invoices that a condition on `invoice_id` lets through,
 * as rows of `aging_debts`.
 */
export const freshDebts = (tenantId: SqlPart, which: SqlPart): SqlPart => sql`
  known as materialized (
    select invoice.invoice_id, invoice.customer_id, invoice.connection_id, coalesce(invoice.invoice_number, '') as invoice_number,
      invoice.customer_number,
      coalesce(invoice.currency, ${sql.lit(UNKNOWN_CURRENCY)}) collate "C" as currency, invoice.has_installments,
      invoice.due_date, invoice.collection_outstanding, invoice.not_collectible_reason
    from invoices as invoice where invoice.tenant_id = ${tenantId} and invoice.retired_at is null and ${which}
  ),
  parts as (
    select known.invoice_id, known.customer_id, known.connection_id, known.invoice_number, known.customer_number, known.currency, part.installment_id as debt_id,
      part.sequence_number, part.due_date, part.collection_outstanding as amount, part.collectible, part.not_collectible_reason,
      part.closed,
      count(*) over (partition by known.invoice_id)::integer as installment_count
    from known join installments as part on part.tenant_id = ${tenantId} and part.invoice_id = known.invoice_id
    where part.removed_at is null
  ),
  counted as (
    select invoice_id, debt_id, customer_id, currency, due_date, amount, sequence_number, installment_count, collectible,
      not_collectible_reason collate "C" as not_collectible_reason, invoice_number, customer_number,
      connection_id
    from parts where not closed and amount > 0 and due_date is not null
    union all
    select invoice_id, invoice_id, customer_id, currency, due_date, collection_outstanding, null, 0, false, not_collectible_reason collate "C",
      invoice_number, customer_number, connection_id
    from known where not has_installments and collection_outstanding > 0 and due_date is not null
  ),
  hashed as (select *, ${contentOf(sql`counted`)} as content from counted),
  fresh as materialized (select *, ${digest(sql`content`)} as digest from hashed)`;

import { type RawBuilder, sql } from "kysely";
import type { Given } from "../prepared.ts";
import { contentOf, digest, type SqlPart } from "./rollup-parts.ts";
import { UNKNOWN_CURRENCY } from "./unknown-names.ts";

/** Columns of `aging_debts` but the tenant, those of its key first. */
export const DEBT_COLUMNS: readonly string[] = [
  ...["invoice_id", "debt_id", "customer_id", "currency", "due_date", "amount", "sequence_number"],
  ...["installment_count", "collectible", "not_collectible_reason", "invoice_number", "digest"],
];

/**
 * `fresh`: the debts that count (service.md §4.10 rules 1 to 3) of the invoices that a condition on `invoice_id` lets through,
 * as rows of `aging_debts`.
 */
export const freshDebts = (tenantId: SqlPart, which: SqlPart): SqlPart => sql`
  known as materialized (
    select invoice.invoice_id, invoice.customer_id, coalesce(invoice.invoice_number, '') as invoice_number,
      coalesce(invoice.currency, ${sql.lit(UNKNOWN_CURRENCY)}) collate "C" as currency, invoice.has_installments,
      invoice.due_date, invoice.collection_outstanding, invoice.not_collectible_reason
    from invoices as invoice where invoice.tenant_id = ${tenantId} and invoice.retired_at is null and ${which}
  ),
  parts as (
    select known.invoice_id, known.customer_id, known.invoice_number, known.currency, part.installment_id as debt_id,
      part.sequence_number, part.due_date, part.collection_outstanding as amount, part.collectible, part.not_collectible_reason,
      part.closed,
      count(*) over (partition by known.invoice_id)::integer as installment_count
    from known join installments as part on part.tenant_id = ${tenantId} and part.invoice_id = known.invoice_id
    where part.removed_at is null
  ),
  counted as (
    select invoice_id, debt_id, customer_id, currency, due_date, amount, sequence_number, installment_count, collectible,
      not_collectible_reason collate "C" as not_collectible_reason, invoice_number
    from parts where not closed and amount > 0 and due_date is not null
    union all
    select invoice_id, invoice_id, customer_id, currency, due_date, collection_outstanding, null, 0, false, not_collectible_reason collate "C",
      invoice_number
    from known where not has_installments and collection_outstanding > 0 and due_date is not null
  ),
  hashed as (select *, ${contentOf(sql`counted`)} as content from counted),
  fresh as materialized (select *, ${digest(sql`content`)} as digest from hashed)`;

/**
 * What of an invoice is overdue on a day: those of its debts that count ({@link freshDebts}) and were due before it, added up
 * (completions §10). `invoice` is its alias.
 */
export function overdueOf(
  invoice: string,
  { tenantId, today }: { tenantId: Given<string>; today: Given<string> },
): RawBuilder<string> {
  const column = (name: string): SqlPart => sql.ref(`${invoice}.${name}`);
  return sql<string>`case
    when ${column("retired_at")} is not null then 0
    when ${column("has_installments")} then coalesce((
      select sum(part.collection_outstanding) from installments as part
      where part.tenant_id = ${tenantId} and part.invoice_id = ${column("invoice_id")}
        and part.removed_at is null and not part.closed and part.collection_outstanding > 0
        and part.due_date < ${today}::date), 0)
    when ${column("due_date")} < ${today}::date then greatest(${column("collection_outstanding")}, 0)
    else 0 end`;
}

import { type Kysely, sql } from "kysely";
import { wall } from "./001-receivables.ts";

/** Text that sorts as the amount does, the largest first; why it is text is said in 005-aging-rollup.ts. */
const rank = (name: string, amount: string): string =>
  `${name} text collate "C" not null generated always as (translate(lpad(length(trunc(${amount})::text)::text, 2, '0')` +
  ` || trim_scale(${amount})::text, '0123456789', '9876543210') || '~') stored`;

/**
 * Part of the aging roll-up: `invoice_figures` has a row for each invoice, in the order in which lists rank them, and
 * `invoice_totals` adds them up. Every roll-up is built again after 037-aging-filters.
 */
const STATEMENTS = [
  `create table invoice_figures (
    tenant_id uuid not null,
    invoice_id uuid not null,
    currency text collate "C" not null,
    collection_status text not null,
    total_amount numeric not null,
    collection_outstanding numeric not null,
    overdue_outstanding numeric not null,
    amount_collected numeric not null,
    ${rank("rank_outstanding", "collection_outstanding")},
    ${rank("rank_overdue", "overdue_outstanding")}
  ) with (fillfactor = 80)`,
  `create table invoice_totals (
    tenant_id uuid not null,
    collection_status text not null,
    currency text collate "C" not null,
    invoice_count bigint not null,
    total_amount numeric not null,
    collection_outstanding numeric not null,
    overdue_outstanding numeric not null,
    amount_collected numeric not null,
    primary key (tenant_id, collection_status, currency)
  )`,
  `create index invoice_figures_by_outstanding on invoice_figures (tenant_id, currency, rank_outstanding, invoice_id)`,
  `create index invoice_figures_by_overdue
    on invoice_figures (tenant_id, currency, rank_overdue, rank_outstanding, invoice_id)`,
  "alter table invoice_figures add primary key (tenant_id, invoice_id)",
  ...["invoice_figures", "invoice_totals"].flatMap((table) => wall(table).split(";\n")),
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) if (statement.trim() !== "") await sql.raw(statement).execute(db);
}

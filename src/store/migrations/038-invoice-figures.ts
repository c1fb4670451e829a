import { type Kysely, sql } from "kysely";
import { wall } from "./001-receivables.ts";

/** Text that sorts as the amount does, the largest first; why it is text is said in 005-aging-rollup.ts. */
const rank = (name: string, amount: string): string =>
  `${name} text collate "C" not null generated always as (translate(lpad(length(trunc(${amount})::text)::text, 2, '0')` +
  ` || trim_scale(${amount})::text, '0123456789', '9876543210') || '~') stored`;

const OVERDUE =
  "coalesce((select sum(debt.amount) from aging_debts as debt where debt.tenant_id = invoice.tenant_id" +
  " and debt.invoice_id = invoice.invoice_id and debt.due_date < state.as_of), 0)";
const READ = ["invoices", "aging_debts", "aging_state"];

/**
 * Part of the aging roll-up: `invoice_figures` has a row for each invoice, in the order in which lists rank them, and
 * `invoice_totals` adds them up. Workspaces without a roll-up have theirs built before it is first read.
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
  ...READ.map((table) => `alter table ${table} no force row level security`),
  `insert into invoice_figures (tenant_id, invoice_id, currency, collection_status, total_amount, collection_outstanding,
      overdue_outstanding, amount_collected)
    select invoice.tenant_id, invoice.invoice_id, coalesce(invoice.currency, 'UNKNOWN'), invoice.collection_status,
      coalesce(invoice.total_amount, 0), invoice.collection_outstanding, ${OVERDUE}, invoice.amount_collected
    from aging_state as state join invoices as invoice on invoice.tenant_id = state.tenant_id
    where state.as_of is not null`,
  ...READ.map((table) => `alter table ${table} force row level security`),
  `insert into invoice_totals (tenant_id, collection_status, currency, invoice_count, total_amount, collection_outstanding,
      overdue_outstanding, amount_collected)
    select tenant_id, collection_status, currency, count(*), sum(total_amount), sum(collection_outstanding),
      sum(overdue_outstanding), sum(amount_collected)
    from invoice_figures group by tenant_id, collection_status, currency`,
  `create index invoice_figures_by_outstanding on invoice_figures (tenant_id, currency, rank_outstanding, invoice_id)`,
  `create index invoice_figures_by_overdue
    on invoice_figures (tenant_id, currency, rank_overdue, rank_outstanding, invoice_id)`,
  "alter table invoice_figures add primary key (tenant_id, invoice_id)",
  ...["invoice_figures", "invoice_totals"].flatMap((table) => wall(table).split(";\n")),
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) if (statement.trim() !== "") await sql.raw(statement).execute(db);
}

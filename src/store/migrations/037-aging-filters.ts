import { type Kysely, sql } from "kysely";
import { wall } from "./001-receivables.ts";

const REWRITTEN = ["invoices", "payment_integrations", "aging_state"];

/** Why an invoice that never had installments cannot be collected (completions §4); the program derives it from now on. */
const OWN_REASON = `case
  when retired_at is not null then 'retired'
  when not finalised then 'not_finalised'
  when collection_outstanding = 0 then 'nothing_outstanding'
  when customer_email is null then 'no_billing_email'
  when not exists (
    select from payment_integrations as integration
    where integration.tenant_id = invoice.tenant_id and integration.status = 'connected'
      and invoice.currency = any(string_to_array(integration.currencies, ' '))
  ) then 'currency_not_supported'
end`;

/**
 * Aging by due day and by why a debt cannot be collected (completions §10). `aging_days` adds debts up by currency, due day
 * and reason, so that a range of days costs the same for any size of book; its digests hold the customers' identities too.
 * `aging_closings` has what payment histories are made of: each dated closing, whenever it was; their figures stand beside
 * each customer's debts. Invoices with a closing date have another hash from now on, so that the next pull reads them again.
 * Every roll-up is built again. The owner of the tables is below row level security as well, and steps out of it meanwhile.
 */
const STATEMENTS = [
  "alter table invoices add column not_collectible_reason text",
  'alter table aging_debts add column not_collectible_reason text collate "C"',
  `create index aging_debts_by_reason on aging_debts (tenant_id, currency, not_collectible_reason, due_date, invoice_id)
   where not collectible`,
  `create index aging_debts_uncollectible on aging_debts (tenant_id, currency, due_date, invoice_id)
   where not collectible`,
  `create table aging_days (
    tenant_id uuid not null,
    currency text collate "C" not null,
    due_date date not null,
    collectible boolean not null,
    reason text collate "C" not null,
    amount numeric not null,
    debts bigint not null,
    digest numeric not null,
    primary key (tenant_id, currency, due_date, collectible, reason)
  )`,
  "alter table installments add column closed_on date",
  `create table aging_closings (
    tenant_id uuid not null,
    invoice_id uuid not null,
    installment_id uuid not null,
    customer_id uuid,
    closed_on date not null,
    days_late integer not null,
    primary key (tenant_id, invoice_id, installment_id)
  )`,
  "create index aging_closings_by_customer on aging_closings (tenant_id, customer_id, closed_on) include (days_late)",
  "create index aging_closings_by_day on aging_closings (tenant_id, closed_on)",
  `alter table aging_customers
    add column paid_installments integer not null default 0,
    add column median_days_late numeric,
    add column average_days_late numeric,
    add column on_time_share numeric,
    add column history numeric not null default 0`,
  `alter table aging_customers add column late_rank integer not null generated always as
    (case when paid_installments < 3 then 2147483647 else -(average_days_late * 10)::integer end) stored`,
  "create index aging_customers_by_lateness on aging_customers (tenant_id, late_rank, customer_key, currency)",
  `alter table aging_totals ${[0, 1, 2, 3, 4].map((n) => `add column history_${n} numeric not null default 0`).join(", ")}`,
  ...["aging_days", "aging_closings"]
    .flatMap((table) => wall(table).split(";\n"))
    .filter((statement) => statement.trim() !== ""),
  ...REWRITTEN.map((table) => `alter table ${table} no force row level security`),
  `update invoices as invoice set not_collectible_reason = ${OWN_REASON} where not has_installments`,
  "update aging_state set as_of = null",
  ...REWRITTEN.map((table) => `alter table ${table} force row level security`),
];

/** Debts by due day and by reason. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

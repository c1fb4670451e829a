import { type Kysely, sql } from "kysely";
import { wall } from "./001-receivables.ts";

const STATEMENTS = `
alter table invoices add column business_unit text, add column customer_site text;

alter table erp_connections add column receipt_method text not null default 'Payment Link';

alter table payment_integrations
  add column secrets text,
  add column api_base text,
  add column account text;

alter table idempotency_records
  alter column response drop not null,
  add column reservation text,
  add column held_until timestamptz(3);

create index payment_integrations_by_id on payment_integrations (payment_integration_id);

create table payment_links (
  tenant_id uuid not null references tenants,
  payment_link_id uuid not null,
  reservation_id uuid not null,
  reserved_by text,
  invoice_id uuid not null,
  installment_id uuid not null,
  payment_integration_id uuid not null,
  amount_minor bigint not null check (amount_minor > 0),
  amount numeric not null check (amount > 0),
  currency text not null,
  description text not null,
  state text not null check (state in ('reserved', 'active', 'paid', 'deactivated', 'withdrawn')),
  provider_link_id text,
  url text,
  withdrawal_due boolean not null default false,
  reserved_until timestamptz(3),
  created_by_kind text not null check (created_by_kind in ('api_key', 'member', 'workflow')),
  created_by_id uuid not null,
  created_at timestamptz(3) not null,
  paid_at timestamptz(3),
  deactivated_at timestamptz(3),
  email_status text check (email_status in ('scheduled', 'sent', 'cancelled', 'failed')),
  email_to text,
  email_send_at timestamptz(3),
  email_sent_at timestamptz(3),
  email_attempts integer not null default 0,
  email_next_attempt_at timestamptz(3),
  email_lease_expires_at timestamptz(3),
  primary key (tenant_id, payment_link_id),
  foreign key (tenant_id, invoice_id) references invoices,
  foreign key (tenant_id, installment_id) references installments,
  foreign key (tenant_id, payment_integration_id) references payment_integrations,
  check ((state in ('active', 'paid', 'deactivated')) <= (url is not null))
);
create index payment_links_by_age on payment_links (tenant_id, created_at, payment_link_id);
create index payment_links_by_invoice on payment_links (tenant_id, invoice_id);
create index payment_links_by_installment on payment_links (tenant_id, installment_id);
create index payment_links_by_reservation on payment_links (tenant_id, reservation_id);
create index payment_links_by_provider on payment_links (tenant_id, provider_link_id);
create index payment_links_unsettled on payment_links (reserved_until) where state = 'reserved' or withdrawal_due;
create index payment_links_email_due on payment_links (email_next_attempt_at) where email_status = 'scheduled';

alter table payments
  add column payment_link_id uuid,
  add column amount_minor bigint,
  add column payment_integration_id uuid,
  add column provider_payment_id text,
  add column erp_push_error text,
  add column erp_receipt_number text,
  add column erp_receipt_id text,
  add column push_attempts integer not null default 0,
  add column push_first_attempt_at timestamptz(3),
  add column push_next_attempt_at timestamptz(3),
  add column push_worker_id uuid,
  add column push_lease_expires_at timestamptz(3),
  add column push_retryable boolean not null default false;
create unique index payments_once on payments (tenant_id, payment_integration_id, provider_payment_id);
create index payments_by_confirmation on payments (tenant_id, confirmed_at, payment_id);
create index payments_by_age on payments (tenant_id, created_at, payment_id);
create index payments_push_due on payments (push_next_attempt_at)
  where erp_push_status in ('pending', 'processing') or push_retryable;
create index payments_push_leased on payments (push_lease_expires_at) where push_lease_expires_at is not null;
create index payments_receipts_followed on payments (tenant_id, push_next_attempt_at)
  where erp_push_status in ('posted', 'applied');

create table workflows (
  tenant_id uuid not null references tenants,
  workflow_id uuid not null,
  type text not null check (type in ('auto_generate', 'payment_arrangement')),
  name text not null,
  enabled boolean not null,
  minimum_amount numeric,
  customer_ids text,
  assignee_id uuid,
  send_at text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, workflow_id),
  unique (tenant_id, type)
);

create table workflow_executions (
  tenant_id uuid not null references tenants,
  workflow_execution_id uuid not null,
  workflow_id uuid not null,
  invoice_id uuid not null,
  status text not null check (status in ('succeeded', 'skipped', 'failed')),
  outcome text not null check (outcome in ('link_created', 'task_opened', 'none')),
  reason text,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3) not null,
  primary key (tenant_id, workflow_execution_id),
  foreign key (tenant_id, workflow_id) references workflows,
  foreign key (tenant_id, invoice_id) references invoices
);
create index workflow_executions_by_age on workflow_executions (tenant_id, started_at, workflow_execution_id);
create index workflow_executions_by_invoice on workflow_executions (tenant_id, invoice_id, workflow_id, started_at);

create table workflow_work (
  tenant_id uuid not null references tenants,
  invoice_id uuid not null,
  due_at timestamptz(3) not null,
  attempts integer not null default 0,
  primary key (tenant_id, invoice_id),
  foreign key (tenant_id, invoice_id) references invoices
);
create index workflow_work_due on workflow_work (due_at);

create table outgoing_mails (
  tenant_id uuid not null references tenants,
  mail_id uuid not null,
  kind text not null check (kind in ('task_assigned')),
  recipient text not null,
  subject_id uuid not null,
  status text not null check (status in ('queued', 'sent', 'cancelled', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz(3) not null,
  lease_expires_at timestamptz(3),
  created_at timestamptz(3) not null,
  sent_at timestamptz(3),
  primary key (tenant_id, mail_id)
);
create index outgoing_mails_due on outgoing_mails (next_attempt_at) where status = 'queued';

create index audit_entries_by_actor on audit_entries (tenant_id, actor_id, at, entry_id);
create index audit_entries_by_connection on audit_entries (tenant_id, connection_id, at, entry_id)
  where connection_id is not null;
create index audit_entries_by_operation on audit_entries (tenant_id, operation, at, entry_id);
`;

const NEW_TENANT_TABLES = ["payment_links", "workflows", "workflow_executions", "workflow_work", "outgoing_mails"];

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [STATEMENTS, ...NEW_TENANT_TABLES.map(wall)].flatMap((text) => text.split(";\n"));
  for (const statement of statements) {
    if (statement.trim() !== "") await sql.raw(statement).execute(db);
  }
}

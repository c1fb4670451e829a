import { type Kysely, sql } from "kysely";

/**
 * Columns are declared as PostgreSQL 15 reads them; both stores run the same text. The primary keys of `customers` and
 * `invoices` come after their other indexes: of indexes that look alike while a table is small the planner takes the
 * newest, and checks of foreign keys keep the plan they began with.
 */
const TABLES = `
create table tenants (
  tenant_id uuid primary key,
  name text not null,
  timezone text not null,
  api_access boolean not null,
  assistant_access boolean not null,
  created_at timestamptz(3) not null
);

create table people (
  person_id uuid primary key,
  email text not null unique,
  name text,
  password_hash text,
  created_at timestamptz(3) not null
);

create table members (
  tenant_id uuid not null references tenants,
  member_id uuid not null,
  person_id uuid not null references people,
  role text not null check (role in ('admin', 'member')),
  created_at timestamptz(3) not null,
  removed_at timestamptz(3),
  primary key (tenant_id, member_id)
);
create unique index members_person on members (tenant_id, person_id) where removed_at is null;
create index members_by_person on members (person_id);

create table assistant_connections (
  tenant_id uuid not null references tenants,
  connection_id uuid not null,
  member_id uuid not null,
  client_id text not null,
  client_name text not null,
  client_uri text,
  scopes text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  revoked_by uuid,
  primary key (tenant_id, connection_id),
  foreign key (tenant_id, member_id) references members
);
create index assistant_connections_by_id on assistant_connections (connection_id);
create index assistant_connections_by_member on assistant_connections (tenant_id, member_id, created_at);

create table api_keys (
  tenant_id uuid not null references tenants,
  key_id uuid not null,
  name text not null,
  permission text not null check (permission in ('admin', 'readonly')),
  key_hash text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  primary key (tenant_id, key_id)
);
create unique index api_keys_by_hash on api_keys (key_hash, tenant_id);

create table audit_entries (
  tenant_id uuid not null references tenants,
  entry_id uuid not null,
  at timestamptz(3) not null,
  actor_kind text not null check (actor_kind in ('api_key', 'member', 'operator')),
  actor_id uuid,
  connection_id uuid,
  operation text not null,
  object_type text,
  object_id text,
  outcome text not null check (outcome in ('succeeded', 'refused', 'failed')),
  request_id text not null,
  primary key (tenant_id, entry_id)
);
create index audit_entries_by_time on audit_entries (tenant_id, at, entry_id);

create table erp_connections (
  tenant_id uuid not null references tenants,
  connection_id uuid not null,
  provider text not null check (provider in ('oracle_fusion')),
  status text not null
    check (status in ('connected', 'requires_reauthentication', 'temporarily_unavailable', 'disconnected')),
  base_url text not null,
  username text not null,
  credential text,
  sync_enabled boolean not null,
  auto_sync_enabled boolean not null,
  auto_sync_interval_minutes integer not null check (auto_sync_interval_minutes between 10 and 1440),
  pull_invoice_date_from date,
  pull_contact_name boolean not null,
  payment_push_mode text not null check (payment_push_mode in ('automatic', 'held')),
  apply_mode text not null check (apply_mode in ('rest_action', 'automatch')),
  last_sync_at timestamptz(3),
  last_successful_sync_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (tenant_id, connection_id)
);
create index erp_connections_by_age on erp_connections (tenant_id, created_at, connection_id);

create table sync_runs (
  tenant_id uuid not null references tenants,
  sync_run_id uuid not null,
  connection_id uuid not null,
  trigger text not null check (trigger in ('manual', 'scheduled')),
  status text not null check (status in ('running', 'succeeded', 'failed')),
  started_at timestamptz(3) not null,
  finished_at timestamptz(3),
  pull_from date,
  read_through numeric,
  invoices_read integer not null default 0,
  invoices_created integer not null default 0,
  invoices_updated integer not null default 0,
  invoices_retired integer not null default 0,
  error_code text check (error_code in
    ('authentication_failed', 'erp_unreachable', 'erp_rejected', 'interrupted', 'internal_error')),
  error_message text,
  worker_id uuid,
  lease_expires_at timestamptz(3),
  primary key (tenant_id, sync_run_id),
  foreign key (tenant_id, connection_id) references erp_connections
);
create unique index sync_runs_in_flight on sync_runs (tenant_id, connection_id) where status = 'running';
create index sync_runs_by_age on sync_runs (tenant_id, started_at, sync_run_id);
create index sync_runs_coverage on sync_runs (tenant_id, connection_id, started_at) where read_through is not null;

create table customers (
  tenant_id uuid not null references tenants,
  customer_id uuid not null,
  connection_id uuid not null,
  erp_customer_id text not null,
  number text,
  name text,
  contact_name text,
  email text,
  email_override text,
  search_text text not null,
  sort_name text not null,
  created_at timestamptz(3) not null,
  unique (tenant_id, connection_id, erp_customer_id),
  foreign key (tenant_id, connection_id) references erp_connections
);
alter table customers add primary key (tenant_id, customer_id);

create table invoices (
  tenant_id uuid not null references tenants,
  invoice_id uuid not null,
  origin text not null check (origin in ('local', 'erp')),
  connection_id uuid,
  erp_invoice_id numeric,
  invoice_number text,
  currency text check (char_length(currency) = 3),
  total_amount numeric,
  erp_invoice_open_balance numeric,
  invoice_date date,
  due_date date,
  payment_terms text,
  finalised boolean not null,
  customer_id uuid,
  customer_number text,
  customer_name text,
  contact_name text,
  customer_email text,
  search_text text not null,
  sort_name text not null,
  content_hash text,
  last_synced_at timestamptz(3),
  missing_since timestamptz(3),
  retired_at timestamptz(3),
  collection_status text not null check (collection_status in ('paid', 'open', 'inactive')),
  collection_outstanding numeric not null,
  amount_collected numeric not null,
  collection_due_date date,
  erp_push_state text check (erp_push_state in ('pending', 'processing', 'posted', 'applied', 'failed', 'reversed')),
  has_held_payment boolean not null,
  has_active_payment_link boolean not null,
  has_installments boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (tenant_id, connection_id, erp_invoice_id),
  foreign key (tenant_id, connection_id) references erp_connections,
  foreign key (tenant_id, customer_id) references customers,
  check ((origin = 'erp') = (erp_invoice_id is not null))
);
create index invoices_by_age on invoices (tenant_id, created_at, invoice_id);
create index invoices_by_status on invoices (tenant_id, collection_status, created_at, invoice_id);
create index invoices_by_customer on invoices (tenant_id, customer_id, created_at, invoice_id);
create index invoices_by_due_date on invoices (tenant_id, collection_due_date, created_at, invoice_id);
create index invoices_by_update on invoices (tenant_id, updated_at, invoice_id);
create index invoices_by_number on invoices (tenant_id, invoice_number);
alter table invoices add primary key (tenant_id, invoice_id);

create table installments (
  tenant_id uuid not null references tenants,
  installment_id uuid not null,
  invoice_id uuid not null,
  erp_installment_id numeric,
  sequence_number integer,
  due_date date,
  original_amount numeric,
  erp_outstanding numeric,
  closed boolean not null,
  disputed boolean not null,
  excluded boolean not null,
  removed_at timestamptz(3),
  collection_outstanding numeric not null,
  collectible boolean not null,
  not_collectible_reason text check (not_collectible_reason in
    ('retired', 'removed', 'not_finalised', 'closed', 'excluded', 'disputed',
     'nothing_outstanding', 'no_billing_email', 'currency_not_supported')),
  created_at timestamptz(3) not null,
  primary key (tenant_id, installment_id),
  unique (tenant_id, invoice_id, erp_installment_id),
  foreign key (tenant_id, invoice_id) references invoices,
  check (collectible = (not_collectible_reason is null))
);
create index installments_by_invoice on installments (tenant_id, invoice_id);
create index installments_owing on installments (tenant_id, due_date)
  where removed_at is null and not closed and collection_outstanding > 0;

create table tasks (
  tenant_id uuid not null references tenants,
  task_id uuid not null,
  type text not null check (type in ('payment_arrangement')),
  invoice_id uuid not null,
  assignee_id uuid,
  state text not null check (state in ('open', 'configured', 'dismissed', 'not_needed')),
  configured_at timestamptz(3),
  dismissed_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (tenant_id, task_id),
  foreign key (tenant_id, invoice_id) references invoices
);
create index tasks_by_age on tasks (tenant_id, created_at, task_id);
create unique index tasks_open on tasks (tenant_id, invoice_id) where state = 'open';

create table payment_integrations (
  tenant_id uuid not null references tenants,
  payment_integration_id uuid not null,
  provider text not null check (provider in ('stripe', 'sandbox')),
  status text not null check (status in ('connected', 'disconnected')),
  currencies text not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, payment_integration_id)
);

create table payments (
  tenant_id uuid not null references tenants,
  payment_id uuid not null,
  invoice_id uuid not null,
  installment_id uuid,
  currency text not null,
  amount numeric not null check (amount > 0),
  confirmed_at timestamptz(3) not null,
  erp_push_status text
    check (erp_push_status in ('held', 'pending', 'processing', 'posted', 'applied', 'failed', 'reversed')),
  applied_at timestamptz(3),
  reflected_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (tenant_id, payment_id),
  foreign key (tenant_id, invoice_id) references invoices
);
create index payments_by_invoice on payments (tenant_id, invoice_id);

create unlogged table rate_windows (
  tenant_id uuid not null,
  subject text not null,
  window_start timestamptz(0) not null,
  hits integer not null,
  primary key (tenant_id, subject, window_start)
);

create unlogged table attempt_windows (
  subject text not null,
  window_start timestamptz(0) not null,
  hits integer not null,
  primary key (subject, window_start)
);

create table oidc_artifacts (
  model text not null,
  id_hash text not null,
  payload jsonb not null,
  grant_id text,
  uid text,
  consumed_at timestamptz(3),
  expires_at timestamptz(3),
  primary key (model, id_hash)
);
create index oidc_artifacts_by_grant on oidc_artifacts (grant_id) where grant_id is not null;
create index oidc_artifacts_by_uid on oidc_artifacts (uid) where uid is not null;
create index oidc_artifacts_by_expiry on oidc_artifacts (expires_at);

create table signing_keys (
  kid text primary key,
  private_jwk text not null,
  created_at timestamptz(3) not null,
  retired_at timestamptz(3)
);

create table web_sessions (
  session_hash text primary key,
  person_id uuid not null references people,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
`;

const TENANT_TABLES = [
  "tenants",
  "members",
  "assistant_connections",
  "api_keys",
  "audit_entries",
  "erp_connections",
  "sync_runs",
  "customers",
  "invoices",
  "installments",
  "tasks",
  "payment_integrations",
  "payments",
  "rate_windows",
];

const GLOBAL_TABLES = ["people", "attempt_windows", "oidc_artifacts", "signing_keys", "web_sessions"];

/**
 * Row level security for one table: a tenant sees its own rows, the system role (sign-in, authority, job scans)
 * sees all, and whoever set nothing sees nothing.
 */
export function wall(table: string): string {
  return `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy one_tenant on ${table} to receivables_tenant
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy every_tenant on ${table} to receivables_system using (true);
grant select, insert, update, delete on ${table} to receivables_tenant, receivables_system;
`;
}

/** A tenant sees the people who are, or ever were, its members: their names stand in its lists. */
const PEOPLE_WALL = `
alter table people enable row level security;
alter table people force row level security;
create policy own_members on people for select to receivables_tenant
  using (exists (select from members where members.person_id = people.person_id));
create policy everybody on people to receivables_system using (true);
grant select on people to receivables_tenant;
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    ...TABLES.split(";\n"),
    ...TENANT_TABLES.flatMap((table) => wall(table).split(";\n")),
    ...GLOBAL_TABLES.map((table) => `grant select, insert, update, delete on ${table} to receivables_system`),
    ...PEOPLE_WALL.split(";\n"),
  ];
  for (const statement of statements) {
    if (statement.trim() !== "") await sql.raw(statement).execute(db);
  }
}

create table erp_connections (
  tenant_id uuid not null references tenants,
  connection_id uuid not null,
  -- What a person calls it; null for what it is made of.
  name text,
  provider text not null check (provider in ('oracle_fusion')),
  status text not null
    check (status in ('connected', 'requires_reauthentication', 'temporarily_unavailable', 'disconnected')),
  base_url text not null,
  -- What the address may lead to: an address that a person named is kept to the internet.
  address_reach text not null check (address_reach in ('public', 'any')),
  username text not null,
  credential text,
  sync_enabled boolean not null,
  auto_sync_enabled boolean not null,
  auto_sync_interval_minutes integer not null check (auto_sync_interval_minutes between 10 and 1440),
  pull_invoice_date_from date,
  pull_contact_name boolean not null,
  payment_push_mode text not null check (payment_push_mode in ('automatic', 'held')),
  apply_mode text not null check (apply_mode in ('rest_action', 'automatch')),
  receipt_method text not null,
  unreachable_runs integer not null,
  -- Since when a call to the ERP has told its status; null where none has.
  status_since timestamptz(3),
  last_sync_at timestamptz(3),
  last_successful_sync_at timestamptz(3),
  created_at timestamptz(3) not null
);
create index erp_connections_by_age on erp_connections (tenant_id, created_at, connection_id);
alter table erp_connections add primary key (tenant_id, connection_id);

-- Each run leaves a dead entry in the index of covering ones: they are vacuumed before they are many.
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
  -- Whether it still tells when an invoice was last read: no later run read as far.
  covers boolean not null default true,
  invoices_read integer not null default 0,
  invoices_created integer not null default 0,
  invoices_updated integer not null default 0,
  invoices_retired integer not null default 0,
  invoices_set_aside integer not null default 0,
  -- A pull that would retire too much at once retires nothing, and waits for a person.
  would_retire jsonb,
  retirement text check (retirement in ('held', 'confirmed')),
  error_code text check (error_code in
    ('authentication_failed', 'erp_unreachable', 'erp_rejected', 'interrupted', 'internal_error')),
  error_reason jsonb,
  claim_id uuid,
  lease_expires_at timestamptz(3),
  primary key (tenant_id, sync_run_id),
  foreign key (tenant_id, connection_id) references erp_connections
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);
create unique index sync_runs_in_flight on sync_runs (tenant_id, connection_id) where status = 'running';
create index sync_runs_by_age on sync_runs (tenant_id, started_at, sync_run_id);
create index sync_runs_covering on sync_runs (tenant_id, connection_id, started_at) where covers;
create index sync_runs_of_connection on sync_runs (tenant_id, connection_id, started_at, sync_run_id);
create index sync_runs_by_status on sync_runs (tenant_id, status, started_at, sync_run_id);
create index sync_runs_of_connection_by_status on sync_runs
  (tenant_id, connection_id, status, started_at, sync_run_id);
create index sync_runs_retirement on sync_runs (tenant_id, connection_id) where retirement is not null;

create table set_aside_invoices (
  tenant_id uuid not null references tenants,
  connection_id uuid not null,
  erp_invoice_id bigint not null,
  sync_run_id uuid not null,
  invoice_number text,
  field text not null,
  value text,
  problem text not null,
  since timestamptz(3) not null,
  primary key (tenant_id, connection_id, erp_invoice_id),
  foreign key (tenant_id, connection_id) references erp_connections
);

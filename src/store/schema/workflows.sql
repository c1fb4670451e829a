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

create table workflows (
  tenant_id uuid not null references tenants,
  workflow_id uuid not null,
  type text not null check (type in ('auto_generate', 'payment_arrangement')),
  name text not null,
  enabled boolean not null,
  minimum_amount numeric,
  customer_ids uuid[],
  assignee_id uuid,
  send_at text,
  days_before_due integer check (days_before_due between 0 and 365),
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
  reason jsonb,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3) not null,
  primary key (tenant_id, workflow_execution_id),
  foreign key (tenant_id, workflow_id) references workflows,
  foreign key (tenant_id, invoice_id) references invoices
);
create index workflow_executions_by_age on workflow_executions (tenant_id, started_at, workflow_execution_id);
create index workflow_executions_by_invoice on workflow_executions (tenant_id, invoice_id, workflow_id, started_at);
create index workflow_executions_by_status on workflow_executions
  (tenant_id, status, started_at, workflow_execution_id);
create index workflow_executions_of_workflow on workflow_executions
  (tenant_id, workflow_id, started_at, workflow_execution_id);

create table workflow_work (
  tenant_id uuid not null references tenants,
  invoice_id uuid not null,
  -- Work that is due at once says nothing of how long it has been: that is told beside it.
  queued_at timestamptz(3) not null default now(),
  claim_id uuid,
  lease_expires_at timestamptz(3),
  attempts integer not null default 0,
  next_attempt_at timestamptz(3) not null,
  primary key (tenant_id, invoice_id),
  foreign key (tenant_id, invoice_id) references invoices
);
create index workflow_work_ready on workflow_work
  (tenant_id, (coalesce(lease_expires_at, next_attempt_at)), invoice_id);
create index workflow_work_tried on workflow_work
  (tenant_id, (coalesce(lease_expires_at, next_attempt_at)), invoice_id) where attempts > 0;
create index workflow_work_waiting on workflow_work (queued_at);

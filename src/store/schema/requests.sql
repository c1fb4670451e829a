create table idempotency_records (
  tenant_id uuid not null references tenants,
  caller text not null,
  operation text not null,
  idempotency_key text not null,
  request_hash text not null,
  response text,
  reservation text,
  held_until timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (tenant_id, caller, idempotency_key)
);
create index idempotency_records_by_age on idempotency_records (created_at);

-- Rounds of work that one process does for all.
create unlogged table job_rounds (
  job text primary key,
  worker_id uuid not null,
  lease_expires_at timestamptz(3),
  done_at timestamptz(3)
);
grant select, insert, update, delete on job_rounds to receivables_system;

create table audit_entries (
  tenant_id uuid not null references tenants,
  entry_id uuid not null,
  at timestamptz(3) not null,
  actor_kind text not null
    check (actor_kind in ('api_key', 'assistant', 'person', 'operator', 'system', 'provider')),
  actor_id uuid,
  actor_name text,
  connection_id uuid,
  operation text not null,
  object_type text,
  object_id text,
  outcome text not null check (outcome in ('succeeded', 'refused', 'failed')),
  request_id text not null,
  details jsonb,
  primary key (tenant_id, entry_id)
);
create index audit_entries_by_time on audit_entries (tenant_id, at, entry_id);
create index audit_entries_by_actor on audit_entries (tenant_id, actor_id, at, entry_id);
create index audit_entries_by_connection on audit_entries (tenant_id, connection_id, at, entry_id)
  where connection_id is not null;
create index audit_entries_by_operation on audit_entries (tenant_id, operation, at, entry_id);
-- The history of an invoice is found by its id and those of its links and payments; a batch's list fits no index.
create index audit_entries_by_object on audit_entries (tenant_id, object_id, at, entry_id) where length(object_id) = 36;

-- When what callers see of a row last changed (../change-stamps.ts), beside the row and not in it: who writes here holds the
-- roll-up's lock, and must not wait for somebody who has locked the row.
create table change_stamps (
  tenant_id uuid not null,
  kind text not null check (kind in ('invoice', 'payment', 'payment_link', 'task')),
  object_id uuid not null,
  -- Hash of what is shown.
  shown uuid not null,
  changed_at timestamptz(3) not null
) with (fillfactor = 80);
create index change_stamps_by_change on change_stamps (tenant_id, kind, changed_at) include (object_id);
alter table change_stamps add primary key (tenant_id, kind, object_id);

-- Members whose name or membership changed, until what names them is stamped (../renamed-members.ts).
create table renamed_members (
  tenant_id uuid not null,
  change_id uuid not null default gen_random_uuid(),
  member_id uuid not null,
  renamed_at timestamptz(3) not null,
  primary key (tenant_id, change_id)
);

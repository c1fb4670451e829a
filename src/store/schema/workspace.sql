create table tenants (
  tenant_id uuid primary key,
  name text not null,
  timezone text not null,
  api_access boolean not null,
  assistant_access boolean not null,
  assistants text not null default 'write' check (assistants in ('read', 'write')),
  created_at timestamptz(3) not null
);

create table people (
  person_id uuid primary key,
  email text not null unique,
  name text,
  password_hash text,
  created_at timestamptz(3) not null
);
grant select, insert, update, delete on people to receivables_system;

-- It carries its person's email and name: a tenant's statement needs no table beside the tenant's.
create table members (
  tenant_id uuid not null references tenants,
  member_id uuid not null,
  person_id uuid not null references people,
  email text not null,
  name text,
  role text not null check (role in ('admin', 'member')),
  created_at timestamptz(3) not null,
  removed_at timestamptz(3),
  primary key (tenant_id, member_id)
);
create unique index members_person on members (tenant_id, person_id) where removed_at is null;
create index members_by_person on members (person_id);

create table invitations (
  tenant_id uuid not null references tenants,
  invitation_id uuid not null,
  email text not null,
  role text not null check (role in ('admin', 'member')),
  token_hash text not null,
  invited_by uuid not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  withdrawn_at timestamptz(3),
  primary key (tenant_id, invitation_id),
  foreign key (tenant_id, invited_by) references members
);
create unique index invitations_open on invitations (tenant_id, email)
  where accepted_at is null and withdrawn_at is null;
create index invitations_by_token on invitations (tenant_id, token_hash);

-- From what is known of a caller to their tenant, so that each statement names one. It may say too much: the tenant's
-- own rows decide. Keys of any length are hashed.
create table tenant_routes (
  kind text not null,
  key text collate "C" not null,
  tenant_id uuid not null,
  primary key (kind, key, tenant_id)
);

create table sign_in_providers (
  tenant_id uuid primary key references tenants,
  issuer text not null,
  client_id text not null,
  client_secret text not null,
  trust_email boolean not null,
  created_at timestamptz(3) not null
);

create table sign_in_domains (
  tenant_id uuid not null references sign_in_providers on delete cascade,
  domain text not null,
  primary key (tenant_id, domain)
);
create unique index sign_in_domains_by_domain on sign_in_domains (domain);

create table sign_in_rules (
  tenant_id uuid primary key references tenants,
  provider_only boolean not null,
  second_factor boolean not null,
  updated_at timestamptz(3) not null
);

create table member_identities (
  tenant_id uuid not null references tenants,
  identity_id uuid not null,
  member_id uuid not null,
  issuer text not null,
  subject text not null,
  created_at timestamptz(3) not null,
  removed_at timestamptz(3),
  primary key (tenant_id, identity_id),
  foreign key (tenant_id, member_id) references members
);
create unique index member_identities_live on member_identities (tenant_id, issuer, subject) where removed_at is null;
create index member_identities_by_subject on member_identities (issuer, subject);
create index member_identities_by_member on member_identities (tenant_id, member_id);

create table web_sessions (
  session_hash text primary key,
  person_id uuid not null references people,
  tenant_id uuid references tenants,
  second_factor boolean not null default false,
  user_agent text,
  address text,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index web_sessions_of_person on web_sessions (person_id);
grant select, insert, update, delete on web_sessions to receivables_system;

create table password_resets (
  reset_id uuid primary key,
  person_id uuid not null references people,
  token_hash text not null,
  signed_in_at uuid,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index password_resets_by_token on password_resets (token_hash);
create index password_resets_of_person on password_resets (person_id);
grant select, insert, update, delete on password_resets to receivables_system;

create table second_factors (
  person_id uuid primary key references people,
  secret text not null,
  confirmed_at timestamptz(3),
  last_step bigint not null,
  created_at timestamptz(3) not null
);
grant select, insert, update, delete on second_factors to receivables_system;

create table recovery_codes (
  person_id uuid not null references people,
  code_hash text not null,
  primary key (person_id, code_hash)
);
grant select, insert, update, delete on recovery_codes to receivables_system;

-- Wrong passwords by account and address. Counters may be lost in a crash.
create unlogged table sign_in_failures (
  subject text primary key,
  failures integer not null,
  last_at timestamptz(3) not null
);
create index sign_in_failures_by_time on sign_in_failures (last_at);
grant select, insert, update, delete on sign_in_failures to receivables_system;

-- The addresses that people signed in from, as keyed digests.
create table sign_in_addresses (
  person_id uuid not null references people,
  address_hash text not null,
  last_at timestamptz(3) not null,
  primary key (person_id, address_hash)
);
create index sign_in_addresses_by_time on sign_in_addresses (last_at);
grant select, insert, update, delete on sign_in_addresses to receivables_system;

create table assistant_connections (
  tenant_id uuid not null references tenants,
  connection_id uuid not null,
  member_id uuid not null,
  client_id text not null,
  client_name text not null,
  client_uri text,
  -- What tells two installations of one published client apart.
  answered_at_host text,
  scopes text[] not null,
  -- What the client asked for, which it repeats when it refreshes, and what the person gave and took on the page.
  asked_scopes text[] not null default '{}',
  given_scopes text[] not null default '{}',
  withheld_scopes text[] not null default '{}',
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  revoked_by uuid,
  foreign key (tenant_id, member_id) references members
);
create index assistant_connections_by_id on assistant_connections (connection_id);
create index assistant_connections_by_member on assistant_connections (tenant_id, member_id, created_at);
-- By its hash, for a client's id may be an address of any length.
create index assistant_connections_live_clients on assistant_connections using hash (client_id)
  where revoked_at is null;
alter table assistant_connections add primary key (tenant_id, connection_id);

create table external_connections (
  tenant_id uuid not null references tenants,
  connection_id uuid not null,
  identity_id uuid not null,
  key_hash text not null,
  allowed_again_at timestamptz(3),
  primary key (tenant_id, connection_id),
  foreign key (tenant_id, connection_id) references assistant_connections,
  foreign key (tenant_id, identity_id) references member_identities
);
create unique index external_connections_current on external_connections (tenant_id, key_hash)
  where allowed_again_at is null;
create index external_connections_by_identity on external_connections (tenant_id, identity_id);

create table api_keys (
  tenant_id uuid not null references tenants,
  key_id uuid not null,
  name text not null,
  permission text not null check (permission in ('admin', 'readonly')),
  key_hash text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  -- The use before the latest, which each request tells.
  previous_use_at timestamptz(3),
  revoked_at timestamptz(3),
  primary key (tenant_id, key_id)
);
create unique index api_keys_by_hash on api_keys (key_hash, tenant_id);

create table oidc_artifacts (
  model text not null,
  id_hash text not null,
  payload jsonb not null,
  grant_id text,
  uid text,
  holder text not null default '',
  consumed_at timestamptz(3),
  expires_at timestamptz(3),
  primary key (model, id_hash)
);
create index oidc_artifacts_by_grant on oidc_artifacts (grant_id, expires_at) where grant_id is not null;
create index oidc_artifacts_by_uid on oidc_artifacts (uid) where uid is not null;
create index oidc_artifacts_by_expiry on oidc_artifacts (expires_at);
create index oidc_artifacts_by_holder on oidc_artifacts (model, holder, expires_at) where expires_at is not null;
grant select, insert, update, delete on oidc_artifacts to receivables_system;

create table signing_keys (
  kid text primary key,
  private_jwk text not null,
  created_at timestamptz(3) not null,
  retired_at timestamptz(3)
);
grant select, insert, update, delete on signing_keys to receivables_system;

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
grant select, insert, update, delete on attempt_windows to receivables_system;

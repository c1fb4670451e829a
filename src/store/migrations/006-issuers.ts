import { type Kysely, sql } from "kysely";
import { wall } from "./001-receivables.ts";

const TABLES = `
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

alter table web_sessions add column tenant_id uuid references tenants;
`;

const TENANT_TABLES = ["sign_in_providers", "sign_in_domains", "member_identities", "external_connections"];

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [...TABLES.split(";\n"), ...TENANT_TABLES.flatMap((table) => wall(table).split(";\n"))];
  for (const statement of statements) {
    if (statement.trim() !== "") await sql.raw(statement).execute(db);
  }
}

import { type Kysely, sql } from "kysely";
import { wall } from "./001-receivables.ts";

/** What leads to a tenant: the kind of route, its key in a row of the table, and the table. Keys of any length are hashed. */
const HASHED = ["identity", "client"];
const ROUTES = [
  ["workspace", "name", "tenants"],
  ["person", "person_id", "members"],
  ["identity", "subject", "member_identities"],
  ["connection", "connection_id", "assistant_connections"],
  ["client", "client_id", "assistant_connections"],
  ["api_key", "key_hash", "api_keys"],
  ["payment_integration", "payment_integration_id", "payment_integrations"],
  ["invitation", "token_hash", "invitations"],
  ["sign_in", "tenant_id", "sign_in_providers"],
] as const;

const TABLES = [...new Set(ROUTES.map(([, , table]) => table))];

/** Rows that processes of the version before write lead to their tenant too, and name their person. */
const OF_EARLIER_PROCESSES = [
  `create function tenant_routes_add() returns trigger language plpgsql security definer set search_path from current as $$ begin
    insert into tenant_routes (kind, key, tenant_id) values (tg_argv[0], case when tg_argv[2] = 'hashed'
        then encode(sha256(convert_to(to_jsonb(new) ->> tg_argv[1], 'UTF8')), 'hex') else to_jsonb(new) ->> tg_argv[1] end,
      new.tenant_id) on conflict do nothing;
    return null;
  end $$`,
  ...ROUTES.map(
    ([kind, column, table]) => `create trigger ${kind}_route after insert or update of ${column} on ${table}
      for each row execute function tenant_routes_add('${kind}', '${column}', '${HASHED.includes(kind) ? "hashed" : ""}')`,
  ),
  `create function members_take_person() returns trigger language plpgsql as $$ begin
    select person.email, person.name into new.email, new.name from people as person where person.person_id = new.person_id;
    return new;
  end $$`,
  `create trigger members_take_person before insert on members
    for each row when (new.email is null) execute function members_take_person()`,
  `create function people_tell_members() returns trigger language plpgsql as $$ begin
    update members set name = new.name where person_id = new.person_id and name is distinct from new.name;
    return null;
  end $$`,
  `create trigger people_tell_members after update of name on people
    for each row when (new.name is distinct from old.name) execute function people_tell_members()`,
  // They read people's names below row level security; this version reads them off the membership.
  `create function is_member_of_tenant(person uuid) returns boolean language sql stable as $$
    select exists (select from members where members.person_id = person) $$`,
  "drop policy own_members on people",
  "create policy own_members on people for select to receivables_tenant using (is_member_of_tenant(person_id))",
];

/**
 * The directory leads from what is known of a caller to their tenant, so that each statement names one; it may say too
 * much, and the tenant's own rows decide. A membership carries its person's email and name, and a tenant's statement needs
 * no table beside the tenant's. Domains lead to a tenant themselves.
 */
const STATEMENTS = [
  `create table tenant_routes (
    kind text not null,
    key text collate "C" not null,
    tenant_id uuid not null,
    primary key (kind, key, tenant_id)
  )`,
  ...TABLES.map((table) => `alter table ${table} no force row level security`),
  ...ROUTES.map(
    ([kind, column, table]) => `insert into tenant_routes (kind, key, tenant_id)
      select distinct '${kind}', ${HASHED.includes(kind) ? `encode(sha256(convert_to(${column}, 'UTF8')), 'hex')` : `${column}::text`}, tenant_id
      from ${table}`,
  ),
  "alter table members add column email text, add column name text",
  `update members as member set email = person.email, name = person.name from people as person
    where person.person_id = member.person_id`,
  ...TABLES.map((table) => `alter table ${table} force row level security`),
  ...wall("tenant_routes").split(";\n"),
  ...OF_EARLIER_PROCESSES,
  // By a hash alone a key is not looked for any more, nor an invitation.
  "alter table invitations drop constraint invitations_token_hash_key",
  "create index invitations_by_token on invitations (tenant_id, token_hash)",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) if (statement.trim() !== "") await sql.raw(statement).execute(db);
}

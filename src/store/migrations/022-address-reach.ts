import { type Kysely, sql } from "kysely";

/** People may name https on the default port of a public name; anything else an operator (or the demo) named. */
const NAMED_BY_OPERATOR = `base_url !~ '^https://[^/:@\\[]+(/|$)' or base_url ~ '^https://[0-9.]+(/|$)' or base_url !~ '^https://[^/]*[.]'
  or base_url ~* '^https://[^/]*[.](local|localdomain|internal|intranet|lan|home|corp|arpa)(/|$)'`;
/** An address that looks public is kept to the internet where a person may have named it. */
const BY_PEOPLE = `exists (select from audit_entries as entry where entry.tenant_id = connection.tenant_id
  and entry.object_id = connection.connection_id::text and entry.operation in ('connectErp', 'reconnectErp')
  and entry.actor_kind <> 'operator')`;

/**
 * What an ERP's address may lead to. Processes of the version before name none: the default is the narrower. The owner of the
 * tables is below row level security as well, and steps out of it meanwhile.
 */
const STATEMENTS = [
  `alter table erp_connections add column address_reach text not null default 'public'
   check (address_reach in ('public', 'any'))`,
  "alter table erp_connections no force row level security",
  "alter table audit_entries no force row level security",
  `update erp_connections as connection set address_reach = 'any' where ${NAMED_BY_OPERATOR} or not ${BY_PEOPLE}`,
  "alter table erp_connections force row level security",
  "alter table audit_entries force row level security",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

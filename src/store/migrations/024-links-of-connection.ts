import { type Kysely, sql } from "kysely";

/** The assistant connection that issued a link: how many it may issue in an hour is counted by it. */
const STATEMENTS = [
  "alter table payment_links add column created_through uuid",
  `create index payment_links_by_connection on payment_links (tenant_id, created_through, created_at)
   where created_through is not null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

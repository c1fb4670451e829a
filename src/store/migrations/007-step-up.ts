import { type Kysely, sql } from "kysely";

/** Where a connection's client was answered: what tells two installations of one published client apart. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table assistant_connections add column answered_at_host text`.execute(db);
}

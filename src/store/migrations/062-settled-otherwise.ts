import { type Kysely, sql } from "kysely";

/** What came another way by the time of a payment is kept, for it says later by how much that was too much. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payments add column settled_otherwise numeric not null default 0`.execute(db);
}

import { type Kysely, sql } from "kysely";

/** The latest instant of a workspace that callers poll by, of those that are committed (src/store/stamps.ts). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("alter table aging_state add column stamped_at timestamptz(3)").execute(db);
}

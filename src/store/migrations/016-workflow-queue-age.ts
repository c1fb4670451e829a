import { type Kysely, sql } from "kysely";

/** Work that is due at once says nothing of how long it has been: that is told beside it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table workflow_work add column queued_at timestamptz not null default now()`.execute(db);
}

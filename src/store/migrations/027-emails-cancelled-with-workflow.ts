import { type Kysely, sql } from "kysely";

/** Emails that turning their workflow off cancelled, and nobody else: turning it on schedules them again (completions §7). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payment_links add column email_cancelled_with_workflow boolean not null default false`.execute(
    db,
  );
}

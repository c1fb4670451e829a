import { type Kysely, sql } from "kysely";

/** An invoice made in the service can be voided, and lists the money for it that came another way (completions §13). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table invoices add column voided_at timestamptz(3),
    add column settled_elsewhere jsonb not null default '[]'`.execute(db);
}

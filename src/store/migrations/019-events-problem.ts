import { type Kysely, sql } from "kysely";

/** Why a provider's list of events could not be read the last time (completions §12). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payment_integrations add column events_problem text`.execute(db);
}

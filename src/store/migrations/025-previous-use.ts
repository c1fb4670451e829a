import type { Kysely } from "kysely";

/** The use of an API key before its latest, which each request tells (service.md §2.1). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("api_keys").addColumn("previous_use_at", "timestamptz").execute();
}

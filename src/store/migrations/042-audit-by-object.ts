import { type Kysely, sql } from "kysely";

/** The history of an invoice is found by its id and those of its links and payments; a batch's list of ids fits no index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      "create index audit_entries_by_object on audit_entries (tenant_id, object_id, at, entry_id) where length(object_id) = 36",
    )
    .execute(db);
}

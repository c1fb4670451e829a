import { type Kysely, sql } from "kysely";

/** A refund that failed needs a person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table attention_items drop constraint attention_items_kind_check, add check (kind in
    ('payment_refunded', 'refund_failed', 'payment_disputed', 'payment_over_owed', 'payment_in_other_currency'))`.execute(
    db,
  );
}

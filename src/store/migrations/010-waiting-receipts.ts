import { type Kysely, sql } from "kysely";

/** Receipts that wait for somebody are counted without a look at all the others (../backlog.ts). */
const STATEMENT = `create index payments_waiting on payments (erp_push_status)
  where erp_push_status in ('held', 'failed', 'pending', 'processing') or push_retryable`;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(STATEMENT).execute(db);
}

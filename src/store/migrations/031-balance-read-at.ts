import { type Kysely, sql } from "kysely";

/** When the ERP's balance was read that a payment found: what was under way then may be in it (completions §12). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payments add column erp_outstanding_read_at timestamptz`.execute(db);
}

import { type Kysely, sql } from "kysely";

/**
 * When the ERP's balance was read that a payment found: what was under way then may be in it (completions §12). Pushes that
 * the demo puts off say so, for a far-off time is a wrong clock's.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payments add column erp_outstanding_read_at timestamptz,
    add column push_put_off boolean not null default false`.execute(db);
  await sql`update payments set push_put_off = true where push_next_attempt_at >= '9999-12-31T00:00:00Z'`.execute(db);
}

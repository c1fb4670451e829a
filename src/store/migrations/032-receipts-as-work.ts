import { type Kysely, sql } from "kysely";
import { renewPrimaryKey } from "./renew-primary-key.ts";

const STATEMENTS = [
  "alter table payments no force row level security",
  "alter table payments rename column push_worker_id to claim_id",
  "alter table payments rename column push_lease_expires_at to lease_expires_at",
  "alter table payments rename column push_attempts to attempts",
  "alter table payments rename column push_next_attempt_at to next_attempt_at",
  "alter table payments add column next_look_at timestamptz(3)",
  // Of a receipt that the ERP has, the next attempt was the next look at it.
  `update payments set next_look_at = next_attempt_at, next_attempt_at = null
    where erp_push_status in ('posted', 'applied', 'reversed') and not push_retryable and next_attempt_at is not null`,
  "alter table payments force row level security",
  "drop index payments_receipts_followed",
  `create index payments_receipts_followed on payments (tenant_id, next_look_at)
    where erp_push_status in ('posted', 'applied')`,
  "drop index payments_push_line",
  `create index payments_ready on payments
    (tenant_id, connection_id, (coalesce(lease_expires_at, next_attempt_at, created_at)), payment_id)
    where (erp_push_status in ('pending', 'processing') or push_retryable) and not push_put_off`,
  "alter index payments_push_leased rename to payments_leased",
];

/** Receipts are claimed as all work is; when one is tried again and when one is looked at are two columns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  await renewPrimaryKey(db, "payments");
}

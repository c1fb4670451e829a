import { type Kysely, sql } from "kysely";
import { renewPrimaryKey } from "./renew-primary-key.ts";

const READY_AT = "(coalesce(lease_expires_at, next_attempt_at))";

const STATEMENTS = [
  "create index outgoing_mails_waiting on outgoing_mails (next_attempt_at) where status = 'queued'",
  `create index payment_links_waiting on payment_links (${READY_AT}) where state = 'reserved' or withdrawal_due`,
  `create index workflow_work_waiting on workflow_work (greatest(${READY_AT}, queued_at))`,
  `create index payments_waiting_longest on payments (coalesce(next_attempt_at, created_at))
    where (erp_push_status in ('pending', 'processing') or push_retryable) and not push_put_off`,
];

/** What has waited longest, of all workspaces together, is read from an index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  for (const table of ["payment_links", "payments"]) await renewPrimaryKey(db, table);
}

import { type Kysely, sql } from "kysely";
import { renewPrimaryKey } from "./renew-primary-key.ts";

const STATEMENTS = [
  "drop index outgoing_mails_waiting",
  "create index outgoing_mails_waiting on outgoing_mails (created_at) where status = 'queued'",
  "drop index link_emails_waiting",
  "create index link_emails_waiting on link_emails (send_at) where status = 'scheduled' and next_attempt_at is not null",
  "drop index payment_links_waiting",
  `create index payment_links_waiting on payment_links (coalesce(deactivated_at, paid_at, created_at))
    where state = 'reserved' or withdrawal_due`,
  "drop index workflow_work_waiting",
  "create index workflow_work_waiting on workflow_work (queued_at)",
  "drop index payments_waiting_longest",
  `create index payments_waiting_longest on payments (coalesce(push_first_attempt_at, next_attempt_at, created_at))
    where (erp_push_status in ('pending', 'processing') or push_retryable) and not push_put_off`,
];

/** What was wanted first and is not done yet, of all workspaces together, is read from an index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  for (const table of ["payment_links", "payments"]) await renewPrimaryKey(db, table);
}

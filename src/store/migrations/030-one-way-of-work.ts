import { type Kysely, sql } from "kysely";

const READY_AT = "(coalesce(lease_expires_at, next_attempt_at))";

const STATEMENTS = [
  "alter table outgoing_mails add column claim_id uuid",
  "drop index outgoing_mails_due",
  `create index outgoing_mails_ready on outgoing_mails (tenant_id, ${READY_AT}, mail_id) where status = 'queued'`,

  // Work that a process of the version before is at comes back as its lease ends, which is when it is due.
  "alter table workflow_work rename column due_at to next_attempt_at",
  "alter table workflow_work alter column queued_at type timestamptz(3)",
  "alter table workflow_work add column claim_id uuid, add column lease_expires_at timestamptz(3)",
  "drop index workflow_work_due",
  "drop index workflow_work_tried",
  `create index workflow_work_ready on workflow_work (tenant_id, ${READY_AT}, invoice_id)`,
  `create index workflow_work_tried on workflow_work (tenant_id, ${READY_AT}, invoice_id) where attempts > 0`,
];

/** Mails and the work of workflows are claimed in one way, by turns of workspaces. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

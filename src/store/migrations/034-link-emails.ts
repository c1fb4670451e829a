import { type Kysely, sql } from "kysely";
import { wall } from "./001-receivables.ts";

const READY_AT = "(coalesce(lease_expires_at, next_attempt_at))";
const WORK = "status = 'scheduled' and next_attempt_at is not null";

const STATEMENTS = [
  `create table link_emails (
    tenant_id uuid not null references tenants,
    payment_link_id uuid not null,
    status text not null check (status in ('scheduled', 'sent', 'cancelled', 'failed')),
    recipient text not null,
    send_at timestamptz(3) not null,
    sent_at timestamptz(3),
    message_id uuid,
    moved_by_person boolean not null default false,
    cancelled_with_workflow boolean not null default false,
    claim_id uuid,
    lease_expires_at timestamptz(3),
    attempts integer not null default 0,
    next_attempt_at timestamptz(3),
    primary key (tenant_id, payment_link_id),
    foreign key (tenant_id, payment_link_id) references payment_links
  )`,
  "alter table payment_links no force row level security",
  // An email of a link that has ended was cancelled at the next look; one of a link that is being made waits for that.
  `insert into link_emails (tenant_id, payment_link_id, status, recipient, send_at, sent_at, message_id, moved_by_person,
      cancelled_with_workflow, lease_expires_at, attempts, next_attempt_at)
    select tenant_id, payment_link_id,
      case when email_status = 'scheduled' and state in ('paid', 'deactivated', 'withdrawn') and email_lease_expires_at is null
        then 'cancelled' else email_status end,
      email_to, email_send_at, email_sent_at, email_batch_id, email_moved_by_person, email_cancelled_with_workflow,
      email_lease_expires_at, email_attempts, case when state <> 'reserved' then coalesce(email_next_attempt_at, email_send_at) end
    from payment_links where email_status is not null and email_to is not null and email_send_at is not null`,
  "alter table payment_links force row level security",
  `alter table payment_links
    drop column email_status, drop column email_to, drop column email_send_at, drop column email_sent_at,
    drop column email_attempts, drop column email_next_attempt_at, drop column email_lease_expires_at,
    drop column email_batch_id, drop column email_moved_by_person, drop column email_cancelled_with_workflow`,
  `create index link_emails_ready on link_emails (tenant_id, ${READY_AT}, payment_link_id) where ${WORK}`,
  `create index link_emails_astray on link_emails (tenant_id, ${READY_AT}, payment_link_id) where ${WORK}
    and (lease_expires_at is not null or next_attempt_at - send_at > interval '2 hours')`,
  "create index link_emails_by_message on link_emails (tenant_id, message_id) where message_id is not null",
  "create index link_emails_to on link_emails (tenant_id, recipient) where status = 'scheduled'",
  "create index link_emails_sent on link_emails (tenant_id, recipient, sent_at) where status = 'sent'",
  "create index link_emails_waiting on link_emails (next_attempt_at) where status = 'scheduled'",
  ...wall("link_emails").split(";\n"),
];

/** An email of a payment link is a row of its own, and is claimed as all work is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) if (statement.trim() !== "") await sql.raw(statement).execute(db);
}

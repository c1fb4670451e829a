import { type Kysely, sql } from "kysely";

const STATEMENTS = [
  `alter table payment_links
    add column email_moved_by_person boolean not null default false,
    add column settle_attempts integer not null default 0`,
  "create index payment_links_email_ended on payment_links (tenant_id) where email_status = 'scheduled' and state in ('paid', 'deactivated', 'withdrawn')",
  "create index payment_links_email_to on payment_links (tenant_id, email_to) where email_status = 'scheduled'",
  "create index payment_links_email_sent on payment_links (tenant_id, email_to, email_sent_at) where email_status = 'sent'",
];

/** What it takes to send a customer one message a day, and to retry the settling of a link soon. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

import { type Kysely, sql } from "kysely";
import { renewPrimaryKey } from "./renew-primary-key.ts";

const STATEMENTS = [
  // A receipt waits in the line of its ERP: which that is stands with the payment, whoever inserts it.
  "alter table payments no force row level security",
  "alter table payments add column connection_id uuid",
  `update payments as payment set connection_id = invoice.connection_id from invoices as invoice
    where invoice.tenant_id = payment.tenant_id and invoice.invoice_id = payment.invoice_id`,
  "alter table payments force row level security",
  `create function payments_take_connection() returns trigger language plpgsql as $$ begin
    select invoice.connection_id into new.connection_id from invoices as invoice
      where invoice.tenant_id = new.tenant_id and invoice.invoice_id = new.invoice_id;
    return new;
  end $$`,
  `create trigger payments_take_connection before insert on payments
    for each row when (new.connection_id is null) execute function payments_take_connection()`,
  `create index payments_push_line on payments
    (tenant_id, connection_id, (coalesce(push_next_attempt_at, created_at)), payment_id)
    where (erp_push_status in ('pending', 'processing') or push_retryable) and not push_put_off`,
  "drop index payments_push_due",
  "drop index payments_push_leased",
  `create index payments_push_leased on payments (tenant_id, connection_id, push_lease_expires_at)
    where push_lease_expires_at is not null`,

  // What a claim orders by is all in its index: thousands that are due at one instant need no sorting.
  `create index payment_links_email_free on payment_links (email_next_attempt_at, payment_link_id)
    where email_status = 'scheduled' and state = 'active' and email_lease_expires_at is null`,
  `create index payment_links_email_astray on payment_links (email_next_attempt_at, payment_link_id)
    where email_status = 'scheduled' and state = 'active' and email_lease_expires_at is null
      and email_next_attempt_at - email_send_at > interval '2 hours'`,
  `create index payment_links_email_leased on payment_links (email_lease_expires_at)
    where email_status = 'scheduled' and state = 'active' and email_lease_expires_at is not null`,
  "drop index payment_links_unsettled",
  `create index payment_links_unsettled on payment_links (reserved_until, reservation_id)
    where state = 'reserved' or withdrawal_due`,
  "drop index workflow_work_due",
  "create index workflow_work_due on workflow_work (due_at, tenant_id, invoice_id)",
  "create index workflow_work_tried on workflow_work (due_at, tenant_id, invoice_id) where attempts > 0",
  "drop index outgoing_mails_due",
  "create index outgoing_mails_due on outgoing_mails (next_attempt_at, mail_id) where status = 'queued'",
  "drop index payment_integrations_events_due",
  `create index payment_integrations_events_due on payment_integrations (events_due_at, payment_integration_id)
    where status = 'connected' and forgotten_at is null and events_due_at is not null`,
];

/** Whoever claims work finds it by an index, however much is due, and looks past what cannot be done now. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  for (const table of ["payments", "payment_integrations"]) await renewPrimaryKey(db, table);
}

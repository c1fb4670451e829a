import { sql } from "kysely";
import type { Transaction } from "../../store/store.ts";
import { MAILING_LINKS } from "../payment-links/emails/link-messages.ts";

/** Something that happened with a customer. */
export interface CustomerEvent {
  readonly kind: "mail" | "payment_link" | "payment" | "task" | "address" | "note";
  /** Of a link in the mail, or of the audit entry of an address; else the thing's own. */
  readonly id: string;
  /** Of a mail that is planned, when it is to be sent. */
  readonly at: string;
  readonly state: string | null;
  /** Whom a mail goes to and why it failed, a receipt's number, the note, or who changed what of how they are mailed. */
  readonly text: string | null;
  /** Who wrote a note. */
  readonly author: string | null;
  /** Of a mail, of all its links. */
  readonly invoice_number: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly due_on: string | null;
}

const INVOICES = sql`string_agg(distinct invoice_number, ', ')`;

/** Events of a customer, newest first; audit entries of `operations` are changes of how they are mailed. */
export async function eventsOf(
  tx: Transaction,
  tenantId: string,
  of: { customerId: string; operations: readonly string[]; limit: number; offset: number },
) {
  const { rows } = await sql<CustomerEvent>`
    with owed as (
      select tenant_id, invoice_id, invoice_number, customer_email from invoices
      where tenant_id = ${tenantId} and customer_id = ${of.customerId}
    ), links as (
      select payment_links.*, invoice_number, customer_email from payment_links join owed using (tenant_id, invoice_id)
      where payment_links.tenant_id = ${tenantId} and state in ('active', 'paid', 'deactivated')
    )
    select 'mail' as kind, min(payment_link_id::text)::uuid as id, coalesce(sent_at, send_at) as at,
      case when status = 'scheduled' and exists (select from customer_mailing where tenant_id = ${tenantId}
        and customer_id = ${of.customerId} and no_mail) then 'to_be_cancelled' else status end as state,
      case when status = 'scheduled' then coalesce(customer_email, recipient) else recipient end as text,
      ${INVOICES} as invoice_number, null::numeric as amount, null as currency, null::date as due_on,
      null as author
    from link_emails join links using (tenant_id, payment_link_id) where link_emails.tenant_id = ${tenantId}
      and status <> 'failed'
    group by coalesce(message_id, payment_link_id), 3, 4, 5
    union all
    select 'mail', min(payment_link_id::text)::uuid, min(at), 'failed', concat_ws(': ', details->>'to', details->>'why'),
      ${INVOICES}, null, null, null, null
    from audit_entries join links on object_id = payment_link_id::text
    where audit_entries.tenant_id = ${tenantId} and length(object_id) = 36 and operation = ${MAILING_LINKS}
    group by request_id, details
    union all
    select 'payment_link', payment_link_id, created_at, state, null, invoice_number, amount, currency, null, null
    from links
    union all
    select 'payment', payment_id, paid_at, erp_push_status, erp_receipt_number, invoice_number, amount, currency, null, null
    from payments join owed using (tenant_id, invoice_id)
    where payments.tenant_id = ${tenantId} and payment_link_id is not null
    union all
    select 'task', task_id, created_at, state, null, invoice_number, null, null, null, null
    from tasks join owed using (tenant_id, invoice_id) where tasks.tenant_id = ${tenantId}
    union all
    select 'address', entry_id, at, operation,
      concat_ws(': ', coalesce(member.name, member.email, actor_name, 'Operator'), details ->> 'changed'), null, null, null, null, null
    from audit_entries as entry
    left join members as member on member.tenant_id = ${tenantId} and member_id = actor_id
    where entry.tenant_id = ${tenantId} and length(object_id) = 36 and object_id = ${of.customerId}::text
      and operation = any(${`{${of.operations.join(",")}}`}::text[]) and outcome = 'succeeded'
    union all
    select 'note', note_id, note.created_at, case when done_at is null then 'open' else 'done' end,
      text, null, null, null, due_on, coalesce(member.name, member.email, 'Operator')
    from customer_notes as note
    left join members as member on member.tenant_id = ${tenantId} and member_id = author_id
    where note.tenant_id = ${tenantId} and customer_id = ${of.customerId}
    order by at desc, id, kind limit ${of.limit} offset ${of.offset}`.execute(tx);
  return rows;
}

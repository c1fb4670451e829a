import { type Selectable, sql } from "kysely";
import { touchShown } from "../../../store/aging/rollup.ts";
import { anyOf } from "../../../store/recordset.ts";
import type { Transaction } from "../../../store/store.ts";
import type { InstallmentRow, InvoiceRow } from "../../../store/tables/invoices.ts";
import type { LinkEmailRow, PaymentLinkRow } from "../../../store/tables/payment-links.ts";
import type { PaymentIntegrationRow } from "../../../store/tables/payments.ts";
import { type Instants, isUnclaimed, UNCLAIMED } from "../../../store/work-queue.ts";

/** The email of a link, as the store has it. */
export type StoredEmail = Selectable<LinkEmailRow>;

/** Emails with their links and invoices. */
export const EMAILS = sql`link_emails as email
  join payment_links as link on link.tenant_id = email.tenant_id and link.payment_link_id = email.payment_link_id
  join invoices as invoice on invoice.tenant_id = link.tenant_id and invoice.invoice_id = link.invoice_id`;

/** The same with their installments and workspaces. */
export const EMAILS_OF_DEBTS = sql`${EMAILS}
  join installments as installment
    on installment.tenant_id = link.tenant_id and installment.installment_id = link.installment_id
  join tenants as tenant on tenant.tenant_id = link.tenant_id`;

/** An email that is scheduled with its link. */
export interface NewEmail {
  readonly linkId: string;
  readonly to: string;
  readonly sendAt: string;
}

/** Schedules emails of links that are being made: they wait for that ({@link readyEmails}). */
export async function insertEmails(tx: Transaction, tenantId: string, emails: readonly NewEmail[]) {
  if (emails.length === 0) return;
  const rows = emails.map(({ linkId, to, sendAt }) => ({
    tenant_id: tenantId,
    payment_link_id: linkId,
    status: "scheduled" as const,
    recipient: to,
    send_at: sendAt,
    next_attempt_at: null,
  }));
  touchShown(
    tx,
    "links",
    emails.map((email) => email.linkId),
  );
  await tx.insertInto("link_emails").values(rows).execute();
}

/** A change of the emails of some links. */
export function changeEmails(tx: Transaction, tenantId: string, linkIds: readonly string[]) {
  touchShown(tx, "links", linkIds);
  const ids = anyOf(linkIds, "uuid");
  return tx.updateTable("link_emails").where("tenant_id", "=", tenantId).where("payment_link_id", "=", ids);
}

/** Has the emails of links that are made now sent at their time. */
export async function readyEmails(tx: Transaction, tenantId: string, linkIds: readonly string[]) {
  await changeEmails(tx, tenantId, linkIds)
    .set(({ ref }) => ({ next_attempt_at: ref("send_at") }))
    .where("next_attempt_at", "is", null)
    .execute();
}

/** The email of a link, locked after the link; undefined where none was scheduled. */
export function lockEmail(tx: Transaction, tenantId: string, paymentLinkId: string) {
  return tx
    .selectFrom("link_emails")
    .select(["status", "lease_expires_at", "send_at", "next_attempt_at"])
    .where((column) => column.and({ tenant_id: tenantId, payment_link_id: paymentLinkId }))
    .forUpdate()
    .executeTakeFirst();
}

/** Whom an email goes to that was not tried yet: what the customer's billing email is now, by a statement that changes the email. */
export const billingEmailNow = (tenantId: string) => sql<string>`coalesce((
  select invoice.customer_email from payment_links as link
  join invoices as invoice on invoice.tenant_id = link.tenant_id and invoice.invoice_id = link.invoice_id
  where link.tenant_id = ${tenantId} and link.payment_link_id = link_emails.payment_link_id), recipient)`;

/** Moves a scheduled email to a time a person chose: a message of its own, tried again, or with others due then. */
export async function moveEmail(tx: Transaction, tenantId: string, paymentLinkId: string, sendAt: string) {
  const at = { send_at: sendAt, next_attempt_at: sendAt };
  await changeEmails(tx, tenantId, [paymentLinkId])
    .set({ ...UNCLAIMED, ...at, attempts: 0, message_id: null, moved_by_person: true })
    .execute();
}

/**
 * Cancels the emails of links for good, as far as they were not sent. One being sent still counts as sent once it was.
 * Answers whether any was not cancelled for good before.
 */
export async function cancelEmails(tx: Transaction, tenantId: string, linkIds: readonly string[]) {
  const { numUpdatedRows } = await changeEmails(tx, tenantId, linkIds)
    .set({ status: "cancelled", cancelled_until: null, recipient: billingEmailNow(tenantId) })
    .where((eb) => eb.or([eb("status", "=", "scheduled"), eb("cancelled_until", "is not", null)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Cancels the emails that a workflow scheduled and that nobody is sending, rescheduled ones too, until it is on again; so are
 * those that waited until they can be mailed. Those of links made by others stay. Answers whose were scheduled.
 */
export async function cancelWorkflowEmails(
  tx: Transaction,
  tenantId: string,
  { workflowId, instants }: { workflowId: string; instants: Instants },
) {
  // In the order in which messages are claimed, so that the two never wait for each other in a circle.
  const { rows } = await sql<Pick<StoredEmail, "payment_link_id" | "status">>`
    update link_emails as email set status = 'cancelled', cancelled_until = 'workflow_on', recipient = goes_to
    from (
      select email.payment_link_id, email.status, coalesce(invoice.customer_email, email.recipient) as goes_to from ${EMAILS}
      where email.tenant_id = ${tenantId} and link.created_by_kind = 'workflow' and link.created_by_id = ${workflowId}
        and (email.status = 'scheduled' and ${isUnclaimed("email", instants)} or email.cancelled_until = 'mailable')
      order by email.payment_link_id for update of email
    ) as before
    where email.tenant_id = ${tenantId} and email.payment_link_id = before.payment_link_id
    returning email.payment_link_id, before.status`.execute(tx);
  const idsOf = (some: typeof rows) => some.map((row) => row.payment_link_id);
  touchShown(tx, "links", idsOf(rows));
  return idsOf(rows.filter(({ status }) => status === "scheduled"));
}

/** Whether a link's email is sent when its time comes, rather than cancelled then. */
export const isAskable = (
  tenantId: string,
) => sql<boolean>`installment.collectible and invoice.customer_email is not null
  and link.amount <= installment.collection_outstanding and link.currency = invoice.currency
  and not exists (select from customer_mailing as mailing where mailing.tenant_id = ${tenantId}
    and mailing.customer_id = invoice.customer_id and mailing.no_mail)`;

/** The messages that wait to be sent: with a workflow's links, with those of an ERP connection's invoices, or to a customer. */
export function scheduledMessages(
  tx: Transaction,
  tenantId: string,
  of: { workflowId: string } | { connectionId: string } | { customerId: string },
) {
  const which =
    "workflowId" in of
      ? sql`link.created_by_kind = 'workflow' and link.created_by_id = ${of.workflowId}`
      : "customerId" in of
        ? sql`invoice.customer_id = ${of.customerId}`
        : sql`invoice.connection_id = ${of.connectionId}`;
  const isLive = sql`link.state in ('active', 'reserved') and link.paid_at is null and email.status = 'scheduled'`;
  return countMessages(tx, tenantId, sql`${which} and ${isLive} and ${isAskable(tenantId)}`);
}

/** The messages that the emails of some links make. */
export function messagesOf(tx: Transaction, tenantId: string, linkIds: readonly string[]) {
  return countMessages(tx, tenantId, sql`link.payment_link_id = ${anyOf(linkIds, "uuid")}`);
}

/**
 * Messages to customers, one for each customer, address and day, the links in them, and when the first goes out, or was to; null
 * without any.
 */
async function countMessages(tx: Transaction, tenantId: string, which: ReturnType<typeof sql>) {
  const { rows } = await sql<{ messages: string; links: string; first_at: string | null }>`
    select count(*) as links, min(email.send_at) as first_at, count(distinct (invoice.customer_id,
      case when invoice.customer_id is null then invoice.customer_name end, coalesce(invoice.customer_email, email.recipient), (email.send_at at time zone tenant.timezone)::date)) as messages
    from ${EMAILS_OF_DEBTS}
    where link.tenant_id = ${tenantId} and ${which}`.execute(tx);
  const [row] = rows;
  return { messages: Number(row?.messages), links: Number(row?.links), first_at: row?.first_at ?? null };
}

/** An email of a workflow that waits for its time, was cancelled for a while (`cancelled_until`), or failed at another address. */
export type WorkflowEmail = Pick<
  Selectable<PaymentLinkRow>,
  "payment_link_id" | "installment_id" | "amount" | "currency"
> &
  Pick<PaymentIntegrationRow, "provider"> &
  Pick<StoredEmail, "send_at" | "moved_by_person"> &
  Pick<InstallmentRow, "due_date"> &
  Pick<InvoiceRow, "invoice_id" | "customer_id" | "customer_name"> & {
    to: string;
    is_unscheduled: boolean;
    is_askable: boolean;
    /** Its invoice's ERP is disconnected. */
    is_erp_disconnected: boolean;
  };

/** Those of live links that nobody is sending and no message was tried with, in the order in which messages are claimed. */
export async function workflowEmails(
  tx: Transaction,
  tenantId: string,
  { workflowId, instants }: { workflowId: string; instants: Instants },
) {
  const { rows } = await sql<WorkflowEmail>`
    select link.payment_link_id, email.send_at, email.moved_by_person, link.amount, link.currency,
      link.installment_id, integration.provider,
      installment.due_date, invoice.invoice_id, invoice.customer_id, invoice.customer_name,
      connection.status is not distinct from 'disconnected' as is_erp_disconnected,
      coalesce(invoice.customer_email, email.recipient) as "to", email.status <> 'scheduled' as is_unscheduled,
      (${isAskable(tenantId)}) as is_askable
    from ${EMAILS_OF_DEBTS}
    join payment_integrations as integration on integration.tenant_id = link.tenant_id
      and integration.payment_integration_id = link.payment_integration_id
    left join erp_connections as connection
      on connection.tenant_id = invoice.tenant_id and connection.connection_id = invoice.connection_id
    where link.tenant_id = ${tenantId} and link.created_by_kind = 'workflow' and link.created_by_id = ${workflowId}
      and link.state in ('active', 'reserved') and link.paid_at is null
      and (email.cancelled_until is not null or email.status = 'failed' and invoice.customer_email <> email.recipient
        or email.status = 'scheduled' and email.message_id is null)
      and ${isUnclaimed("email", instants)}
    order by link.payment_link_id`.execute(tx);
  return rows;
}

/** Schedules an email for a time of its workflow's, where it still waits, was cancelled for a while, or failed. */
export async function scheduleEmail(tx: Transaction, tenantId: string, linkId: string, sendAt: string) {
  touchShown(tx, "links", [linkId]);
  // The email of a link that is being made goes on waiting for that.
  await sql`
    update link_emails set status = 'scheduled', cancelled_until = null, send_at = ${sendAt},
      next_attempt_at = case when next_attempt_at is not null then ${sendAt}::timestamptz end,
      attempts = 0, message_id = null, claim_id = null, lease_expires_at = null,
      failure = null, server_codes = null, server_words = null, failed_at = null
    where tenant_id = ${tenantId} and payment_link_id = ${linkId}
      and (status = 'scheduled' and message_id is null or status = 'failed' or cancelled_until is not null)`.execute(
    tx,
  );
}

import { type Selectable, sql } from "kysely";
import { anyOf } from "../../../store/recordset.ts";
import type { Transaction } from "../../../store/store.ts";
import type { InstallmentRow, InvoiceRow } from "../../../store/tables/invoices.ts";
import type { PaymentLinkRow } from "../../../store/tables/payment-links.ts";
import { farthestOf } from "../../shared/retry.ts";

/** The state of a link's email, the link locked; undefined when the tenant has no such link to show. */
export function lockEmail(
  tx: Transaction,
  tenantId: string,
  paymentLinkId: string,
): Promise<Pick<PaymentLinkRow, "state" | "email_status" | "email_lease_expires_at"> | undefined> {
  return tx
    .selectFrom("payment_links")
    .select(["state", "email_status", "email_lease_expires_at"])
    .where("tenant_id", "=", tenantId)
    .where("payment_link_id", "=", paymentLinkId)
    .where("state", "in", ["active", "paid", "deactivated"])
    .forUpdate()
    .executeTakeFirst();
}

/** Moves a scheduled email to a time a person chose: a message of its own, tried anew, or with others due then. */
export async function moveEmail(
  tx: Transaction,
  tenantId: string,
  paymentLinkId: string,
  sendAt: string,
): Promise<void> {
  await tx
    .updateTable("payment_links")
    .set({
      email_send_at: sendAt,
      email_next_attempt_at: sendAt,
      email_attempts: 0,
      email_lease_expires_at: null,
      email_batch_id: null,
      email_moved_by_person: true,
    })
    .where("tenant_id", "=", tenantId)
    .where("payment_link_id", "=", paymentLinkId)
    .execute();
}

export async function cancelEmail(tx: Transaction, tenantId: string, paymentLinkId: string): Promise<void> {
  await tx
    .updateTable("payment_links")
    .set({ email_status: "cancelled", email_cancelled_with_workflow: false })
    .where("tenant_id", "=", tenantId)
    .where("payment_link_id", "=", paymentLinkId)
    .where("email_status", "in", ["scheduled", "cancelled"])
    .execute();
}

/**
 * Cancels the emails that a workflow scheduled and that nobody is sending, rescheduled ones too; those of links made by
 * others stay. Answers whose.
 */
export async function cancelWorkflowEmails(
  tx: Transaction,
  tenantId: string,
  { workflowId, now }: { workflowId: string; now: string },
): Promise<string[]> {
  // In the order in which messages are claimed, so that the two never wait for each other in a circle.
  const { rows } = await sql<{ payment_link_id: string }>`
    update payment_links as link set email_status = 'cancelled', email_cancelled_with_workflow = true
    from (
      select payment_link_id from payment_links
      where tenant_id = ${tenantId} and created_by_kind = 'workflow' and created_by_id = ${workflowId}
        and email_status = 'scheduled'
        and (email_lease_expires_at is null or email_lease_expires_at <= ${now} or email_lease_expires_at > ${farthestOf(now)})
      order by payment_link_id for update
    ) as scheduled
    where link.tenant_id = ${tenantId} and link.payment_link_id = scheduled.payment_link_id
    returning link.payment_link_id`.execute(tx);
  return rows.map((row) => row.payment_link_id);
}

/** Whether a link's email is sent when its time comes, rather than cancelled then. */
const isAskable = sql`installment.collectible and invoice.customer_email is not null
  and link.amount <= installment.collection_outstanding`;

/** Messages to customers, and the links in them. */
export interface Messages {
  /** One for each customer, address and day. */
  messages: number;
  links: number;
  /** When the first goes out, or was to; null without any. */
  first_at: string | null;
}

/** The messages that wait to be sent: with a workflow's links, or with those of an ERP connection's invoices. */
export function scheduledMessages(
  tx: Transaction,
  tenantId: string,
  of: { workflowId: string } | { connectionId: string },
): Promise<Messages> {
  const which =
    "workflowId" in of
      ? sql`link.created_by_kind = 'workflow' and link.created_by_id = ${of.workflowId}`
      : sql`invoice.connection_id = ${of.connectionId}`;
  const isLive = sql`link.state in ('active', 'reserved') and link.paid_at is null and link.email_status = 'scheduled'`;
  return countMessages(tx, tenantId, sql`${which} and ${isLive} and ${isAskable}`);
}

/** The messages that the emails of some links make. */
export function messagesOf(tx: Transaction, tenantId: string, linkIds: readonly string[]): Promise<Messages> {
  return countMessages(tx, tenantId, sql`link.payment_link_id = ${anyOf(linkIds, "uuid")}`);
}

async function countMessages(tx: Transaction, tenantId: string, which: ReturnType<typeof sql>): Promise<Messages> {
  const { rows } = await sql<{ messages: string; links: string; first_at: string | null }>`
    select count(*) as links, min(link.email_send_at) as first_at, count(distinct (invoice.customer_id,
      coalesce(invoice.customer_email, link.email_to), (link.email_send_at at time zone tenant.timezone)::date)) as messages
    from payment_links as link
    join invoices as invoice on invoice.tenant_id = link.tenant_id and invoice.invoice_id = link.invoice_id
    join installments as installment
      on installment.tenant_id = link.tenant_id and installment.installment_id = link.installment_id
    join tenants as tenant on tenant.tenant_id = link.tenant_id
    where link.tenant_id = ${tenantId} and ${which}`.execute(tx);
  const [row] = rows;
  return { messages: Number(row?.messages), links: Number(row?.links), first_at: row?.first_at ?? null };
}

/** An email of a workflow that waits for its time, or that turning the workflow off cancelled. */
export type WorkflowEmail = Pick<
  Selectable<PaymentLinkRow>,
  "payment_link_id" | "email_send_at" | "email_moved_by_person" | "amount" | "currency"
> &
  Pick<InstallmentRow, "due_date"> &
  Pick<InvoiceRow, "invoice_id" | "customer_id" | "customer_name"> & {
    to: string;
    is_cancelled: boolean;
    is_askable: boolean;
    /** Its invoice's ERP is disconnected. */
    is_erp_disconnected: boolean;
  };

/** Those of live links that nobody is sending and no message was tried with, in the order in which messages are claimed. */
export async function workflowEmails(
  tx: Transaction,
  tenantId: string,
  { workflowId, now }: { workflowId: string; now: string },
): Promise<WorkflowEmail[]> {
  const { rows } = await sql<WorkflowEmail>`
    select link.payment_link_id, link.email_send_at, link.email_moved_by_person, link.amount, link.currency,
      installment.due_date, invoice.invoice_id, invoice.customer_id, invoice.customer_name,
      connection.status is not distinct from 'disconnected' as is_erp_disconnected,
      coalesce(invoice.customer_email, link.email_to) as "to", link.email_status = 'cancelled' as is_cancelled,
      (${isAskable}) as is_askable
    from payment_links as link
    join invoices as invoice on invoice.tenant_id = link.tenant_id and invoice.invoice_id = link.invoice_id
    join installments as installment
      on installment.tenant_id = link.tenant_id and installment.installment_id = link.installment_id
    left join erp_connections as connection
      on connection.tenant_id = invoice.tenant_id and connection.connection_id = invoice.connection_id
    where link.tenant_id = ${tenantId} and link.created_by_kind = 'workflow' and link.created_by_id = ${workflowId}
      and link.state in ('active', 'reserved') and link.paid_at is null
      and (link.email_status = 'cancelled' and link.email_cancelled_with_workflow
        or link.email_status = 'scheduled' and link.email_batch_id is null)
      and (link.email_lease_expires_at is null or link.email_lease_expires_at <= ${now}
        or link.email_lease_expires_at > ${farthestOf(now)})
    order by link.payment_link_id`.execute(tx);
  return rows;
}

/** Schedules an email for a time of its workflow's, where it still waits or turning that off had cancelled it. */
export async function scheduleEmail(tx: Transaction, tenantId: string, linkId: string, sendAt: string): Promise<void> {
  await sql`update payment_links set email_status = 'scheduled', email_cancelled_with_workflow = false,
      email_send_at = ${sendAt}, email_next_attempt_at = ${sendAt}, email_attempts = 0, email_batch_id = null
    where tenant_id = ${tenantId} and payment_link_id = ${linkId}
      and (email_status = 'scheduled' and email_batch_id is null or email_status = 'cancelled' and email_cancelled_with_workflow)`.execute(
    tx,
  );
}

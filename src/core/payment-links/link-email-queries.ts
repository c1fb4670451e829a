import { sql } from "kysely";
import type { Transaction } from "../../store/store.ts";
import type { InstallmentRow, InvoiceRow, PaymentLinkRow, TenantRow } from "../../store/tables.ts";

/** A link whose email a worker has taken up, until the lease ends; `attempts` counts this one. */
export interface ClaimedEmail {
  tenant_id: string;
  payment_link_id: string;
  attempts: number;
  lease_expires_at: string;
}

/**
 * Takes up emails that are due, of all tenants; what another worker has is passed over. Those of links that ended are
 * due at once, to be cancelled.
 */
export async function claimEmails(
  tx: Transaction,
  { now, leaseUntil, limit }: { now: string; leaseUntil: string; limit: number },
): Promise<ClaimedEmail[]> {
  const { rows } = await sql<ClaimedEmail>`
    update payment_links as link set email_lease_expires_at = ${leaseUntil}, email_attempts = link.email_attempts + 1
    from (
      select tenant_id, payment_link_id from payment_links
      where email_status = 'scheduled' and state <> 'reserved'
        and (email_next_attempt_at <= ${now} or state <> 'active')
        and (email_lease_expires_at is null or email_lease_expires_at <= ${now})
      order by email_next_attempt_at, payment_link_id limit ${limit} for update skip locked
    ) as due
    where link.tenant_id = due.tenant_id and link.payment_link_id = due.payment_link_id
    returning link.tenant_id, link.payment_link_id, link.email_attempts as attempts,
      link.email_lease_expires_at as lease_expires_at`.execute(tx);
  return rows;
}

/** What an email tells of its link, and what must hold for it to be sent. */
export type LinkToMail = Pick<PaymentLinkRow, "payment_link_id" | "state" | "paid_at" | "amount" | "currency" | "url"> &
  Pick<InvoiceRow, "invoice_number" | "customer_name" | "customer_email"> &
  Pick<InstallmentRow, "due_date" | "collectible" | "collection_outstanding"> & { workspace_name: TenantRow["name"] };

export function linkToMail(
  tx: Transaction,
  { tenant_id, payment_link_id }: Pick<ClaimedEmail, "tenant_id" | "payment_link_id">,
): Promise<LinkToMail | undefined> {
  return tx
    .selectFrom("payment_links as link")
    .innerJoin("tenants as tenant", "tenant.tenant_id", "link.tenant_id")
    .innerJoin("invoices as invoice", (join) =>
      join.onRef("invoice.tenant_id", "=", "link.tenant_id").onRef("invoice.invoice_id", "=", "link.invoice_id"),
    )
    .innerJoin("installments as installment", (join) =>
      join
        .onRef("installment.tenant_id", "=", "link.tenant_id")
        .onRef("installment.installment_id", "=", "link.installment_id"),
    )
    .select([
      "link.payment_link_id",
      "link.state",
      "link.paid_at",
      "link.amount",
      "link.currency",
      "link.url",
      "invoice.invoice_number",
      "invoice.customer_name",
      "invoice.customer_email",
      "installment.due_date",
      "installment.collectible",
      "installment.collection_outstanding",
      "tenant.name as workspace_name",
    ])
    .where("link.tenant_id", "=", tenant_id)
    .where("link.payment_link_id", "=", payment_link_id)
    .executeTakeFirst();
}

type EmailColumns = Pick<PaymentLinkRow, "email_status" | "email_to" | "email_sent_at" | "email_next_attempt_at">;

/**
 * Writes how an attempt ended, if the email is still this worker's. What was sent counts as sent though it was cancelled
 * with its link meanwhile; anything else holds for a scheduled one alone.
 */
export async function settleEmail(
  tx: Transaction,
  claimed: ClaimedEmail,
  change: Partial<EmailColumns>,
): Promise<void> {
  let query = tx
    .updateTable("payment_links")
    .set({ ...change, email_lease_expires_at: null })
    .where("tenant_id", "=", claimed.tenant_id)
    .where("payment_link_id", "=", claimed.payment_link_id)
    .where("email_lease_expires_at", "=", claimed.lease_expires_at);
  if (change.email_status !== "sent") query = query.where("email_status", "=", "scheduled");
  await query.execute();
}

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

/** Moves a scheduled email to another time, and lets it be tried anew. */
export async function moveEmail(
  tx: Transaction,
  tenantId: string,
  paymentLinkId: string,
  sendAt: string,
): Promise<void> {
  await tx
    .updateTable("payment_links")
    .set({ email_send_at: sendAt, email_next_attempt_at: sendAt, email_attempts: 0, email_lease_expires_at: null })
    .where("tenant_id", "=", tenantId)
    .where("payment_link_id", "=", paymentLinkId)
    .execute();
}

export async function cancelEmail(tx: Transaction, tenantId: string, paymentLinkId: string): Promise<void> {
  await tx
    .updateTable("payment_links")
    .set({ email_status: "cancelled" })
    .where("tenant_id", "=", tenantId)
    .where("payment_link_id", "=", paymentLinkId)
    .where("email_status", "=", "scheduled")
    .execute();
}

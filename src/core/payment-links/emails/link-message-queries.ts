import { anyOf } from "../../../store/recordset.ts";
import type { Transaction } from "../../../store/store.ts";
import { UNCLAIMED } from "../../../store/work-queue.ts";
import { sameTenant } from "../../kernel/same-tenant.ts";
import type { ClaimedMessage } from "./claim-message-queries.ts";
import type { StoredEmail } from "./link-email-queries.ts";

/** What an email tells of its link, and what must hold for it to be sent. */
export type LinkToMail = Awaited<ReturnType<typeof linksToMail>>[number];

/** The links of a claimed message, those due first before the others. */
export function linksToMail(tx: Transaction, claimed: ClaimedMessage) {
  return tx
    .selectFrom("link_emails as email")
    .innerJoin("payment_links as link", sameTenant("link", "email", "payment_link_id"))
    .innerJoin("payment_integrations as integration", sameTenant("integration", "link", "payment_integration_id"))
    .innerJoin("invoices as invoice", sameTenant("invoice", "link", "invoice_id"))
    .leftJoin("customer_mailing as mailing", sameTenant("mailing", "invoice", "customer_id"))
    .innerJoin("installments as installment", sameTenant("installment", "link", "installment_id"))
    .select([
      "link.payment_link_id",
      "link.state",
      "link.paid_at",
      "link.amount",
      "link.currency",
      "link.url",
      "email.status",
      "invoice.invoice_id",
      "invoice.invoice_number",
      "invoice.invoice_date",
      "invoice.total_amount",
      "invoice.customer_name",
      "invoice.customer_email",
      "invoice.currency as owed_currency",
      "installment.due_date",
      "installment.collectible",
      "installment.collection_outstanding",
      "integration.provider",
      "mailing.locale",
      "mailing.no_mail",
    ])
    .where((column) => column.and({ "email.tenant_id": claimed.tenant_id, "email.message_id": claimed.message_id }))
    .where("email.claim_id", "=", claimed.claim_id)
    .orderBy("installment.due_date")
    .orderBy("invoice.invoice_number")
    .orderBy("link.payment_link_id")
    .execute();
}

/** Holds the invoices of a claimed message: no billing email of theirs changes meanwhile. */
export async function holdInvoicesOf(tx: Transaction, claimed: ClaimedMessage): Promise<void> {
  await tx
    .selectFrom("invoices")
    .select("invoice_id")
    .where("tenant_id", "=", claimed.tenant_id)
    .where("invoice_id", "in", (eb) =>
      eb
        .selectFrom("link_emails as email")
        .innerJoin("payment_links as link", sameTenant("link", "email", "payment_link_id"))
        .select("link.invoice_id")
        .where((column) => column.and({ "email.tenant_id": claimed.tenant_id, "email.claim_id": claimed.claim_id })),
    )
    .orderBy("invoice_id")
    .forShare()
    .execute();
}

/**
 * Writes how an attempt ended, of emails that are still this worker's: some, or all of the message. What was sent counts
 * as sent though it was cancelled with its link meanwhile; anything else holds for a scheduled one only. Answers whose they are.
 */
export async function updateEmails(
  tx: Transaction,
  claimed: ClaimedMessage,
  change: Partial<StoredEmail>,
  linkIds?: readonly string[],
): Promise<string[]> {
  let query = tx
    .updateTable("link_emails")
    .set({ ...change, ...UNCLAIMED })
    .where((column) => column.and({ tenant_id: claimed.tenant_id, message_id: claimed.message_id }))
    .where("claim_id", "=", claimed.claim_id);
  if (linkIds !== undefined) query = query.where("payment_link_id", "=", anyOf(linkIds, "uuid"));
  if (change.status !== "sent") query = query.where("status", "=", "scheduled");
  const rows = await query.returning("payment_link_id").execute();
  return rows.map((row) => row.payment_link_id);
}

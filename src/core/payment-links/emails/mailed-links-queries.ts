import type { Transaction } from "../../../store/store.ts";
import { sameTenant } from "../../kernel/same-tenant.ts";
import { isAskable } from "./link-email-queries.ts";

/** What an email tells of its link, and what must hold for it to be sent. */
export type LinkToMail = Awaited<ReturnType<typeof linksToMail>>[number];

/** The links of a message, or the one of an email; those due first before the others. */
export function linksToMail(
  tx: Transaction,
  tenantId: string,
  of: { "email.message_id": string; "email.claim_id"?: string } | { "email.payment_link_id": string },
) {
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
      "email.cancelled_until",
      "invoice.invoice_id",
      "invoice.invoice_number",
      "invoice.invoice_date",
      "invoice.total_amount",
      "invoice.customer_id",
      "invoice.customer_name",
      "invoice.customer_email",
      "installment.due_date",
      "integration.provider",
      "mailing.locale",
    ])
    .select(["email.tenant_id", "email.recipient", "email.message_id", "email.sent_at", "email.send_at"])
    .select(isAskable(tenantId).as("is_askable"))
    .where((column) => column.and({ "email.tenant_id": tenantId, ...of }))
    .orderBy("installment.due_date")
    .orderBy("invoice.invoice_number")
    .orderBy("link.payment_link_id")
    .execute();
}

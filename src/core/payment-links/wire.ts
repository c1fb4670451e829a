import type { z } from "zod";
import type { LinkRecord } from "./queries.ts";
import { type PaymentLink, PaymentLinkStatus } from "./schema.ts";

/** The link as callers see it (completions §4). */
export function linkOnWire(row: LinkRecord): z.output<typeof PaymentLink> {
  if (row.url === null) throw new Error("a link that is shown has an address");
  return {
    id: row.payment_link_id,
    invoice_id: row.invoice_id,
    invoice_number: row.invoice_number,
    customer_name: row.customer_name,
    installment_id: row.installment_id,
    payment_integration_id: row.payment_integration_id,
    amount_minor: Number(row.amount_minor),
    currency: row.currency,
    url: row.url,
    status: PaymentLinkStatus.parse(row.state),
    email: emailOf(row),
    created_at: row.created_at,
    created_by: { kind: row.created_by_kind, id: row.created_by_id, name: row.created_by_name },
    paid_at: row.paid_at,
    deactivated_at: row.deactivated_at,
  };
}

function emailOf(row: LinkRecord): z.output<typeof PaymentLink>["email"] {
  const { email_status: status, email_send_at: sendAt, email_sent_at: sentAt } = row;
  // A scheduled one goes to the billing email of the day it is sent.
  const to = status === "scheduled" ? (row.customer_email ?? row.email_to) : row.email_to;
  if (status === null || to === null || sendAt === null) return null;
  return { status, to, send_at: sendAt, sent_at: sentAt };
}

import type { Transaction } from "../../store/store.ts";
import { markActiveLinks } from "./active-link-queries.ts";
import { cancelEmails } from "./emails/link-email-queries.ts";
import { type StoredLink, updateLink } from "./link-queries.ts";

/** `deactivated` is final; one that is still being made becomes `paid` once it is. */
export async function markPaid(tx: Transaction, link: StoredLink, paidAt: string): Promise<void> {
  if (link.paid_at !== null || (link.state !== "active" && link.state !== "reserved")) return;
  await updateLink(tx, link.tenant_id, link.payment_link_id, {
    paid_at: paidAt,
    ...(link.state === "active" ? { state: "paid" as const } : {}),
  });
  await cancelEmails(tx, link.tenant_id, [link.payment_link_id]);
  await markActiveLinks(tx, link.tenant_id, [link.invoice_id]);
}

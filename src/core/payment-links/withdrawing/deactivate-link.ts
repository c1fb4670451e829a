import type { Transaction } from "../../../store/store.ts";
import { type Core, nowOf } from "../../gate/dependencies.ts";
import { queueInvoices } from "../../workflows/queue-queries.ts";
import { cancelEmails } from "../emails/link-email-queries.ts";
import { callerWithdraws } from "../issuing/settle-reservation.ts";
import { markActiveLinks, updateLink } from "../link-queries.ts";

/**
 * Withdraws an active link in the store; its provider has yet to be told, for which the caller has `leaseMs`: without it
 * anybody may at once. Its email is not sent any more.
 */
export async function deactivateLink(
  tx: Transaction,
  core: Pick<Core, "clock">,
  {
    tenantId,
    linkId,
    invoiceId,
    leaseMs = 0,
  }: { tenantId: string; linkId: string; invoiceId: string; leaseMs?: number },
): Promise<void> {
  await updateLink(tx, tenantId, linkId, {
    state: "deactivated",
    deactivated_at: nowOf(core),
    withdrawal_due: true,
    ...callerWithdraws(core, leaseMs),
  });
  await cancelEmails(tx, tenantId, [linkId]);
  await markActiveLinks(tx, tenantId, [invoiceId]);
  await queueInvoices(tx, core, tenantId, [invoiceId]);
}

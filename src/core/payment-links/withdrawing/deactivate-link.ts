import type { Transaction } from "../../../store/store.ts";
import { queueInvoices } from "../../collection/to-examine-queries.ts";
import { type Core, nowOf } from "../../gate/dependencies.ts";
import { workStep } from "../../gate/work-step.ts";
import { cancelEmails } from "../emails/link-email-queries.ts";
import { callerWithdraws, markActiveLinks, type StoredLink, updateLink } from "../link-queries.ts";

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
) {
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

/**
 * Withdraws an active link because of something else that was done: a figure that moved, an integration that is forgotten, a
 * checkout that failed for good. The provider is told by the job that looks for what is due.
 */
export const withdrawLink = workStep({
  name: "deactivatePaymentLink",
  callers: ["system", "provider", "person", "operator"],
  async run({ tx, core, actor, audit }, { linkId, invoiceId }: { linkId: string; invoiceId: string }) {
    await deactivateLink(tx, core, { tenantId: actor.tenantId, linkId, invoiceId });
    audit({ type: "payment_link", id: linkId });
  },
});

/** `deactivated` is final; one that is still being made becomes `paid` once it is. */
export async function markPaid(tx: Transaction, link: StoredLink, paidAt: string) {
  if (link.paid_at !== null || (link.state !== "active" && link.state !== "reserved")) return;
  await updateLink(tx, link.tenant_id, link.payment_link_id, {
    paid_at: paidAt,
    ...(link.state === "active" ? { state: "paid" as const } : {}),
  });
  await cancelEmails(tx, link.tenant_id, [link.payment_link_id]);
  await markActiveLinks(tx, link.tenant_id, [link.invoice_id]);
}

import type { Transaction } from "../../../store/store.ts";
import type { Stamping } from "../../gate/dependencies.ts";
import { money, toMinor } from "../../kernel/money.ts";
import { scheduleFailedEmails } from "../emails/schedule-failed.ts";
import { type ActiveLink, ENDS_LINKS, lockActiveLinksOf } from "./beyond-debt-queries.ts";
import { withdrawLink } from "./deactivate-link.ts";

/** Published when links were withdrawn and their providers have yet to be told, so that a process tells them at once. */
export const LINKS_WITHDRAWN = "links_withdrawn";

/**
 * Withdraws the active links of some invoices that ask for more than is owed now, in another currency, or on what the ERP no
 * longer lets anybody collect (completions §12), in the transaction that found it out. Of several links on an installment those
 * that fit stay, the oldest first; where the email of one failed and its customer has another address by now, or it could not be
 * sent when it was due and can be now, it is scheduled again. The invoices are locked and their figures written. The provider is told by the job that looks for what is due.
 */
export async function reviewActiveLinks(
  tx: Transaction,
  core: Stamping,
  tenantId: string,
  invoiceIds: readonly string[],
) {
  if (invoiceIds.length === 0) return;
  const links = await lockActiveLinksOf(tx, tenantId, invoiceIds);
  const leading = { tx, core, requestId: core.newId() };
  const actor = { kind: "system", tenantId, name: "reconciliation" } as const;
  for (const parts of Map.groupBy(links, (link) => link.installment_id).values())
    for (const { payment_link_id: linkId, invoice_id: invoiceId } of beyondDebt(parts))
      await withdrawLink.within(leading, actor, { linkId, invoiceId });
  const unsent = links.filter(({ email_status: status }) => status === "failed" || status === "cancelled");
  const linkIds = unsent.map((link) => link.payment_link_id);
  await scheduleFailedEmails(tx, core, tenantId, { linkIds, byPerson: false });
}

/** Those of one installment's active links, oldest first, that have to go. */
function beyondDebt(links: readonly ActiveLink[]) {
  const [first] = links;
  if (first === undefined) return [];
  if (ENDS_LINKS.some((reason) => reason === first.not_collectible_reason)) return [...links];
  let left = toMinor(money(first.collection_outstanding), first.owed_currency ?? "") ?? 0n;
  return links.filter(({ amount_minor: asked, currency, owed_currency: owed }) => {
    if (currency !== owed || BigInt(asked) > left) return true;
    left -= BigInt(asked);
    return false;
  });
}

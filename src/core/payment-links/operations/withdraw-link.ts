import { innerOperation } from "../../gate/inner-operation.ts";
import { deactivateLink } from "../withdrawing/deactivate-link.ts";

/**
 * Withdraws an active link because of something else that was done: a figure that moved, an integration that is forgotten, a
 * checkout that failed for good. The provider is told by the job that looks for what is due.
 */
export const withdrawLink = innerOperation({
  id: "deactivatePaymentLink",
  callers: ["system", "provider", "person", "operator"],
  async run({ tx, core, actor, audit }, { linkId, invoiceId }: { linkId: string; invoiceId: string }) {
    await deactivateLink(tx, core, { tenantId: actor.tenantId, linkId, invoiceId });
    audit({ type: "payment_link", id: linkId });
  },
});

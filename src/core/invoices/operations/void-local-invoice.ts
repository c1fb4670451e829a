import { z } from "zod";
import { operation, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { Instant, Uuid } from "../../kernel/wire-types.ts";
import { raisePayments } from "../delivery/raise-payments.ts";
import { setVoided } from "../local-invoice-queries.ts";
import { recomputeInvoices } from "../recompute.ts";
import { lockLocalInvoice } from "../write-local-invoice.ts";

/** Voids an invoice made in the service, for good: it owes nothing, and what was paid for it needs a person (completions §12, §13). Again: unchanged. Throws `not_found`, `conflict`. */
export const voidLocalInvoice = operation({
  id: "voidLocalInvoice",
  summary: "Make an invoice of the service owe nothing, for good",
  errors: ["conflict"],
  ...SETTINGS_CHANGE,
  sideEffects: "Its payment links are withdrawn, and their scheduled emails cancelled.",
  input: z.strictObject({ invoiceId: Uuid.describe("the invoice") }),
  output: z.strictObject({ id: Uuid, voided_at: Instant }),
  async run(context, { invoiceId }) {
    const { tx, actor, core, now, audit } = context;
    const { voided_at: voidedAt } = await lockLocalInvoice(context, invoiceId);
    if (voidedAt === null) {
      await setVoided(tx, actor.tenantId, invoiceId, now);
      await recomputeInvoices(tx, core, actor.tenantId, [invoiceId]);
      await raisePayments(tx, core, actor.tenantId, invoiceId);
    }
    audit(voidedAt === null ? { type: "invoice", id: invoiceId } : null);
    return { id: invoiceId, voided_at: voidedAt ?? now };
  },
});

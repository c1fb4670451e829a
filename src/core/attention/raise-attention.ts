import type { Transaction } from "../../store/store.ts";
import type { AttentionItemRow } from "../../store/tables/payments.ts";
import { type Core, nowOf } from "../gate/dependencies.ts";
import { putItem } from "./attention-queries.ts";

/** Something that needs a person and cannot be read off a payment or connection (completions §12). */
export interface Attention {
  readonly tenantId: string;
  readonly kind: AttentionItemRow["kind"];
  /** The provider's id of the payment. */
  readonly providerPaymentId: string;
  /** Null while the payment itself is not known, or counts in no figure. */
  readonly paymentId: string | null;
  readonly paymentLinkId: string | null;
  readonly invoiceId: string | null;
  /** Minor units of `currency`. */
  readonly amountMinor: bigint;
  readonly currency: string;
  /** When it happened at the provider. */
  readonly occurredAt: string;
}

/** Opens an item, or opens it again; answers whether it is new. */
export function raiseAttention(
  tx: Transaction,
  core: Pick<Core, "clock" | "newId">,
  { tenantId, kind, providerPaymentId, amountMinor, currency, ...about }: Attention,
): Promise<boolean> {
  const facts = {
    tenant_id: tenantId,
    kind,
    subject: providerPaymentId,
    payment_id: about.paymentId,
    payment_link_id: about.paymentLinkId,
    invoice_id: about.invoiceId,
    amount_minor: amountMinor.toString(),
    currency,
    occurred_at: about.occurredAt,
  };
  return putItem(tx, facts, { id: core.newId(), now: nowOf(core) });
}

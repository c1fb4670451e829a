import type { Core } from "../core.ts";
import { formatMoney, formatStored, fromMinor } from "../money.ts";
import { type OpenItem, openItems, type StuckReceipt, stuckReceipts } from "./attention-queries.ts";

/** What needs a person. */
export interface AttentionEntry {
  /** Null for what ends by itself once its cause does, such as a receipt that is retried. */
  readonly id: string | null;
  readonly kind: OpenItem["kind"] | "receipt_failed" | "receipt_reversed" | "receipt_not_applied";
  /** When it happened. */
  readonly since: string;
  readonly invoice_number: string | null;
  readonly customer_name: string | null;
  /** Major units: what was refunded, disputed, paid too much or in another currency, or the receipt's amount. */
  readonly amount: string | null;
  readonly currency: string | null;
  readonly payment_id: string | null;
  readonly payment_link_id: string | null;
  /** The provider's id of the payment, or why the receipt failed. */
  readonly detail: string | null;
}

/** Everything of a workspace that needs a person (completions §12), oldest first. */
export async function listAttention(core: Pick<Core, "store">, tenantId: string): Promise<AttentionEntry[]> {
  const { items, receipts } = await core.store.read(tenantId, async (tx) => ({
    items: await openItems(tx, tenantId),
    receipts: await stuckReceipts(tx, tenantId),
  }));
  return [...items.map(entryOfItem), ...receipts.map(entryOfReceipt)].sort((one, other) =>
    one.since < other.since ? -1 : one.since > other.since ? 1 : 0,
  );
}

function entryOfItem(item: OpenItem): AttentionEntry {
  const { currency, amount_minor: minor } = item;
  const amount = currency === null || minor === null ? undefined : fromMinor(BigInt(minor), currency);
  return {
    id: item.attention_item_id,
    kind: item.kind,
    since: item.occurred_at,
    invoice_number: item.invoice_number,
    customer_name: item.customer_name,
    amount: amount === undefined ? minor : formatMoney(amount, currency),
    currency,
    payment_id: item.payment_id,
    payment_link_id: item.payment_link_id,
    detail: item.subject,
  };
}

function kindOfReceipt({ erp_push_status: status }: StuckReceipt): AttentionEntry["kind"] {
  if (status === "reversed") return "receipt_reversed";
  return status === "posted" ? "receipt_not_applied" : "receipt_failed";
}

function entryOfReceipt(receipt: StuckReceipt): AttentionEntry {
  return {
    id: null,
    kind: kindOfReceipt(receipt),
    since: receipt.confirmed_at,
    invoice_number: receipt.invoice_number,
    customer_name: receipt.customer_name,
    amount: formatStored(receipt.amount, receipt.currency),
    currency: receipt.currency,
    payment_id: receipt.payment_id,
    payment_link_id: receipt.payment_link_id,
    detail: receipt.erp_push_error,
  };
}

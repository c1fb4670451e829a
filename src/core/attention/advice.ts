import type { AttentionItemRow } from "../../store/tables/payments.ts";

/** What to do about something that needs a person. */
export interface Advice {
  /** One or two sentences. */
  readonly say: string;
  /** What the service can do, most likely or first to do first; each for its own case. */
  readonly steps: readonly AdviceStep[];
}

/** One act the service offers; the terminal shows it as a command, the pages as a button. */
export interface AdviceStep {
  /** When, as the beginning of a sentence that the act ends: "Then push it again". */
  readonly when: string;
  readonly act: Act;
}

export type Act =
  | { readonly kind: "resolve_item"; readonly id: string }
  /** `anyway`: even where the ERP's balance seems to hold the money. */
  | { readonly kind: "push_receipt"; readonly paymentId: string; readonly anyway: boolean }
  | { readonly kind: "settle_by_hand"; readonly paymentId: string }
  | { readonly kind: "set_receipt_method"; readonly connectionId: string }
  | { readonly kind: "reconnect_erp"; readonly connectionId: string };

const ITEMS: Readonly<Record<AttentionItemRow["kind"], string>> = {
  payment_refunded: "Take the refunded amount back in the ERP.",
  payment_disputed: "Answer the dispute at the payment provider.",
  payment_over_owed: "Refund what is too much at the payment provider, or credit it in the ERP.",
  payment_in_other_currency: "Refund it at the payment provider, or enter it in the ERP.",
};

/** What to do about an item that a person takes off the list. */
export function adviceOnItem({
  kind,
  attention_item_id: id,
}: Pick<AttentionItemRow, "kind" | "attention_item_id">): Advice {
  return { say: ITEMS[kind], steps: [{ when: "Then take it off this list", act: { kind: "resolve_item", id } }] };
}

import type { Generated, Selectable } from "kysely";
import type { ReceiptReason } from "../../erp-reasons.ts";
import type { StoredAmount, StoredInstant, WorkColumns } from "./values.ts";

/** Work as its list of events is read; `next_attempt_at` is null while that cannot be. */
export interface PaymentIntegrationRow extends Selectable<WorkColumns> {
  tenant_id: string;
  payment_integration_id: string;
  provider: "stripe" | "sandbox";
  status: "connected" | "disconnected";
  /** ISO 4217 codes it can charge. */
  currencies: string[];
  created_at: StoredInstant;
  /** Encrypted JSON of the provider's keys (src/core/kernel/secrets.ts); null for a provider without any, or disconnected. */
  secrets: string | null;
  /** Where the provider's API is reached, when not at its own address. */
  api_base: string | null;
  /** The provider's name for the account, which must not change under an integration. */
  account: string | null;
  /** Real money moves (completions §12); null where its key does not tell. */
  livemode: boolean | null;
  /** From then on nothing of it vouches for a payment any more. */
  forgotten_at: StoredInstant | null;
  /** The provider's list of events was read up to here. */
  events_read_to: StoredInstant | null;
  /** Why the list could not be read the last time; public. Null when it was, or never had to be. */
  events_problem: string | null;
}

/** What needs a person, and follows from no state of a payment or connection (completions §12). */
export interface AttentionItemRow {
  tenant_id: string;
  attention_item_id: string;
  kind: "payment_refunded" | "refund_failed" | "payment_disputed" | "payment_over_owed" | "payment_in_other_currency";
  /** What it is about, once per kind: the provider's id of the payment, or of the refund that failed. */
  subject: string;
  payment_id: string | null;
  payment_link_id: string | null;
  invoice_id: string | null;
  /** Refunded, not refunded after all, disputed, above what was owed, or taken in another currency; integer in minor units, as text. */
  amount_minor: string | null;
  currency: string | null;
  occurred_at: StoredInstant;
  created_at: StoredInstant;
  /** When a person said that it is dealt with. */
  resolved_at: StoredInstant | null;
}

/** Work while its receipt has to be pushed. */
export interface PaymentRow extends WorkColumns {
  tenant_id: string;
  payment_id: string;
  invoice_id: string;
  installment_id: string | null;
  currency: string;
  amount: StoredAmount;
  confirmed_at: StoredInstant;
  erp_push_status: "held" | "pending" | "processing" | "posted" | "applied" | "failed" | "reversed" | null;
  /** When the receipt was applied in the ERP; null of an applied one while that is in doubt. */
  applied_at: StoredInstant | null;
  /** When a sync run that started after `applied_at` read the invoice: from then on its balance includes the payment. */
  reflected_at: StoredInstant | null;
  created_at: StoredInstant;
  payment_link_id: string | null;
  /** Integer in the currency's minor unit, as text. */
  amount_minor: string | null;
  payment_integration_id: string | null;
  /** The provider's id of the payment: each is counted once. */
  provider_payment_id: string | null;
  erp_push_error: ReceiptReason | null;
  erp_receipt_number: string | null;
  erp_receipt_id: string | null;
  push_first_attempt_at: StoredInstant | null;
  /** When the last attempt began. */
  push_attempted_at: Generated<StoredInstant | null>;
  /** When a receipt that the ERP has is looked at again; null is never, or not yet known. */
  next_look_at: StoredInstant | null;
  /** Of its invoice: the ERP in whose line the receipt waits. */
  connection_id: string | null;
  /** Of the demo: not pushed until a person says so. */
  push_put_off: Generated<boolean>;
  /** A `failed` push, or one `posted` and not applied, that is tried again by itself: the ERP was unreachable (service.md §3.3). */
  push_retryable: Generated<boolean>;
  /** When the money was paid, as the provider says; `confirmed_at` is when the service learnt of it (completions §12). */
  paid_at: StoredInstant;
  /** All refunds at the provider so far that have not failed, in minor units, as text; moves no other figure. */
  refunded_minor: Generated<string>;
  disputed: Generated<boolean>;
  /** When what `disputed` says was so at the provider: what is told late does not undo it. */
  disputed_as_of: Generated<StoredInstant | null>;
  /** What the ERP showed as owed on the installment when the payment was recorded; null where it has none. */
  erp_outstanding_before: Generated<StoredAmount | null>;
  /** When that was read from the ERP. */
  erp_outstanding_read_at: Generated<StoredInstant | null>;
  /** What its invoice was for when the payment was recorded, less what was collected and owed then: other money that had settled it. */
  settled_otherwise: Generated<StoredAmount>;
  /** Counts the receipts made for the payment: a reversed one is followed by another, of a number of its own. */
  receipt_round: Generated<number>;
  /** A person said to push it although the ERP's balance seems to hold the money. */
  push_anyway: Generated<boolean>;
  /** When a person said that the ERP has the money by a receipt of its own, whose number is `erp_receipt_number`. */
  settled_by_hand_at: Generated<StoredInstant | null>;
}

import type { Updateable } from "kysely";
import type { ErpReason, ReceiptReason } from "../../erp-reasons.ts";
import type { ErpErrorKind } from "../../gateways/erp/gateway.ts";
import type { PaymentRow } from "../../store/tables/payments.ts";
import { PUSH_RETRY } from "../gate/retry.ts";
import { outsideWords } from "../kernel/outside-words.ts";

/** The code of a posted receipt that the ERP's users unapplied, or entered and did not apply: the service applies it only when asked to. */
export const TAKEN_BACK = "taken_back" satisfies ErpReason["code"];

/** How an attempt to push a receipt ended (service.md §3.3). */
export interface PushOutcome {
  /** `processing`: it was sent, and nobody can say whether it arrived. `failed`: it did not. */
  readonly status: "processing" | "failed" | "posted" | "applied" | "reversed";
  /** The ERP's id of the receipt; null where it has none, or none that is known of. */
  readonly receiptId: string | null;
  /** Why the receipt is not applied. */
  readonly error: ErpReason | null;
  /** What the ERP said of it, whole; null where it said nothing. Data from outside. */
  readonly erpMessage: string | null;
  /** The ERP was unreachable, or does not show the invoice: later may go well. Any other cause waits for a person. */
  readonly retry: boolean;
  /** How the ERP took to being called; null when it was not. */
  readonly contact: "answered" | ErpErrorKind | null;
}

/** The payment's columns after an attempt: when the next is, or null for no further one. `firstAttemptAt` begins the 24 hours. */
export function pushOutcomeColumns(
  { status, receiptId, error, erpMessage, retry }: PushOutcome,
  { firstAttemptAt, now, anyway }: { firstAttemptAt: string; now: string; anyway: boolean },
) {
  const next = Date.parse(now) + PUSH_RETRY.everyMs;
  const again = retry && next <= Date.parse(firstAttemptAt) + PUSH_RETRY.forMs;
  const inErp = status === "posted" || status === "applied";
  const givenUp = status === "processing" && !again;
  return {
    erp_push_status: givenUp ? ("failed" as const) : status,
    erp_push_error: error === null ? null : receiptReason(error, erpMessage, givenUp),
    erp_receipt_id: receiptId,
    applied_at: status === "applied" ? now : null,
    reflected_at: null,
    next_attempt_at: again ? new Date(next).toISOString() : null,
    next_look_at: !again && inErp ? now : null,
    push_retryable: again,
    // What a person said holds for the attempt they asked for, and its retries.
    push_anyway: anyway && again,
  };
}

/** A reason as stored, with what the ERP said of it. */
export function receiptReason(reason: ErpReason, erpMessage: string | null, isOutcomeUnknown = false): ReceiptReason {
  const erp = outsideWords(erpMessage);
  return { ...reason, ...(erp !== null && { erp }), ...(isOutcomeUnknown && { outcome_unknown: true }) };
}

/** What the ERP's own users did to receipts, by the names in the audit trail: the only record of when that was seen. */
export const RECEIPT_MOVES = { reversed: "recordReversedReceipt", unapplied: "recordUnappliedReceipt" } as const;

/** How it enters the audit trail that a receipt is not applied. */
export const RECEIPT_FAILURES = {
  failed: "recordFailedReceipt",
  posted: "recordPostedReceipt",
  ...RECEIPT_MOVES,
} as const;

/** "failed → applied, CHK-1": how a receipt's state changed, for the audit trail. */
export function stateChange(
  before: string | null,
  { erp_push_status: after, erp_receipt_number: number = null }: Updateable<PaymentRow>,
) {
  return `${before} → ${after ?? before}${number === null ? "" : `, ${number}`}`;
}

import type { Updateable } from "kysely";
import type { ErpErrorKind } from "../../gateways/erp/gateway.ts";
import type { PaymentRow } from "../../store/tables/payments.ts";
import { PUSH_RETRY } from "../gate/retry.ts";
import { withOutsideWords } from "../kernel/outside-words.ts";

/** Why a receipt is not in the ERP, or not applied there, as the service itself finds: sentences, or their beginnings. Public. */
export const PUSH_REASONS = {
  other_currency: "The ERP bills the invoice in another currency than was paid.",
  no_business_unit: "The invoice names no business unit, which a receipt must name.",
  no_customer: "The invoice names no customer, whom a receipt must name.",
  no_number: "The invoice has no number by which the ERP could match it.",
  no_installment: "The ERP has no installment that the receipt could be applied to.",
  not_shown: "The ERP does not show the receipt any more.",
  invoice_not_shown:
    "The ERP does not show the invoice, which no sync has found to be gone. Nothing is sent until it does.",
  invoice_retired:
    "The ERP no longer has the invoice, or hides it, so nothing shows whether this payment was entered there.",
  balance_holds: "The ERP's balance already seems to hold this payment",
  /** Of a posted receipt that a person or the ERP took back from what it was applied to: it is not applied again here. */
  taken_back: "The receipt was applied in the ERP, and is not any more.",
  /** Ends the reason of a push that was given up. */
  outcome_unknown: "Whether the ERP has the receipt is not known.",
} as const;

/** How an attempt to push a receipt ended (service.md §3.3). */
export interface PushOutcome {
  /** `processing`: it was sent, and nobody can say whether it arrived. `failed`: it did not. */
  readonly status: "processing" | "failed" | "posted" | "applied" | "reversed";
  /** The ERP's id of the receipt; null where it has none, or none that is known of. */
  readonly receiptId: string | null;
  /** Public: why the receipt is not applied, in the service's words. */
  readonly error: string | null;
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
  const reason = givenUp ? `${error ?? ""} ${PUSH_REASONS.outcome_unknown}`.trim() : error;
  return {
    erp_push_status: givenUp ? "failed" : status,
    erp_push_error: reason === null ? null : withErpWords(reason, erpMessage),
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

/** A reason of the service's own, and after it what the ERP said ({@link withOutsideWords}). */
export const withErpWords = (sentence: string, erpMessage: string | null): string =>
  withOutsideWords(sentence, "The ERP", erpMessage);

const ERP_SAYS = " The ERP says: “";

/** The two parts of a stored reason, which {@link withErpWords} put together. */
export function partsOfReason(reason: string): { own: string; erpWords: string | null } {
  const [own = "", ...rest] = reason.split(ERP_SAYS);
  return { own, erpWords: rest.length === 0 ? null : rest.join(ERP_SAYS).replace(/”$/, "") };
}

/** What the ERP's own users did to receipts, by the names in the audit trail: the only record of when that was seen. */
export const RECEIPT_MOVES = { reversed: "recordReversedReceipt", unapplied: "recordUnappliedReceipt" } as const;

/** "failed → applied, CHK-1": how a receipt's state changed, for the audit trail. */
export function stateChange(
  before: string | null,
  { erp_push_status: after, erp_receipt_number: number = null }: Updateable<PaymentRow>,
): string {
  return `${before} → ${after ?? before}${number === null ? "" : `, ${number}`}`;
}

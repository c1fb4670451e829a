import { z } from "zod";
import { MAX_RECEIPT_ROUND } from "../../gateways/erp/receipt-number.ts";
import type { Core } from "../core.ts";
import type { Manager } from "../operator.ts";
import { parseInput } from "../validation.ts";
import { manageReceipt, receiptConflict, receiptState } from "./manage-receipt.ts";
import type { ManagedPayment } from "./managed-payment-queries.ts";

/** The ERP's own number of a receipt: 1 to 30 printable characters. */
export const ReceiptNumber = z
  .string()
  .trim()
  .regex(
    /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,30}$/u,
    "must be 1 to 30 printable characters: the receipt's number in the ERP",
  );

const Given = z.object({ receiptNumber: ReceiptNumber });

const OPEN = new Set<string | null>(["failed", "reversed", "held"]);

/** Throws `conflict` for a payment that is not to be settled by hand, with the state that its receipt is in. */
export function assertOpen(payment: ManagedPayment): void {
  if (!OPEN.has(payment.erp_push_status)) throw receiptConflict(payment, receiptState(payment));
}

interface ReceiptByHand {
  readonly paymentId: string;
  /** As the ERP shows it. */
  readonly receiptNumber: string;
  readonly requestId: string;
}

/**
 * Notes that the ERP's own users entered a payment's receipt, for people and operators (completions §12). It counts as
 * applied: a sync that starts after this takes the ERP's balance to hold it, and nobody looks for it by id. Only a failed,
 * reversed or held one. Throws `validation_failed`, `not_found`, `permission_denied`, `conflict`.
 */
export async function settleReceiptByHand(
  core: Core,
  actor: Manager,
  { paymentId, requestId, ...given }: ReceiptByHand,
): Promise<{ payment_id: string; erp_push_status: "applied"; erp_receipt_number: string }> {
  const { receiptNumber } = parseInput(Given, given);
  await manageReceipt(core, { actor, operation: "settleReceiptByHand", paymentId, requestId }, (payment, now) => {
    const { erp_push_status: status, receipt_round: round } = payment;
    assertOpen(payment);
    return {
      erp_push_status: "applied",
      erp_push_error: null,
      erp_receipt_id: null,
      erp_receipt_number: receiptNumber,
      applied_at: now,
      reflected_at: null,
      settled_by_hand_at: now,
      // The reversed one keeps its number in the ERP: should this prove a mistake, the next is another.
      receipt_round: status === "reversed" ? Math.min(round + 1, MAX_RECEIPT_ROUND) : round,
      push_anyway: false,
      push_retryable: false,
      push_next_attempt_at: null,
    };
  });
  return { payment_id: paymentId, erp_push_status: "applied", erp_receipt_number: receiptNumber };
}

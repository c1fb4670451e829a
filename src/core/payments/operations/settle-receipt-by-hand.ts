import { z } from "zod";
import { MAX_RECEIPT_ROUND } from "../../../gateways/erp/receipt-number.ts";
import { operation, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { Uuid } from "../../kernel/wire-types.ts";
import { lookUpReceipt } from "../receipts/look-up-receipt.ts";
import { assertOpen, manageReceipt } from "../receipts/manage-receipt.ts";

/** The ERP's own number of a receipt: 1 to 30 printable characters. */
const ReceiptNumber = z
  .string()
  .trim()
  .normalize("NFC")
  .regex(
    /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,30}$/u,
    "must be 1 to 30 printable characters: the receipt's number in the ERP",
  );

/**
 * Notes that the ERP's own users entered a payment's receipt, for people and operators (completions §12). It counts as
 * applied: a sync that starts after this takes the ERP's balance to hold it, and follows it by its number. Only a failed,
 * reversed or held one. With `check` the ERP is asked for the receipt first. Throws `validation_failed`, `not_found`, `conflict`.
 */
export const settleReceiptByHand = operation({
  id: "settleReceiptByHand",
  summary: "Note that somebody entered the receipt in the ERP; nothing is pushed",
  errors: ["conflict", "connection_disconnected"],
  ...SETTINGS_CHANGE,
  sideEffects: "Nothing is pushed to the ERP for the payment any more.",
  once: (input) => input,
  input: z.strictObject({
    paymentId: Uuid,
    receiptNumber: ReceiptNumber.describe("the receipt's number in the ERP"),
    check: z.boolean().default(false),
  }),
  output: z.strictObject({
    payment_id: Uuid,
    erp_push_status: z.literal("applied"),
    erp_receipt_number: z.string(),
    /** What the ERP shows for the number, where it was asked. */
    in_the_erp: z
      .strictObject({
        amount: z.string().nullable(),
        currency: z.string().nullable(),
        receipt_date: z.string().nullable(),
        state: z.string(),
      })
      .nullable(),
  }),
  prepare: async ({ actor, core, signal }, { paymentId, receiptNumber, check }) =>
    check ? lookUpReceipt(core, actor.tenantId, { paymentId, receiptNumber }, signal) : null,
  async run(context, { paymentId, receiptNumber }, seen) {
    const { now } = context;
    await manageReceipt(context, paymentId, (payment) => {
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
        next_attempt_at: null,
        next_look_at: null,
      };
    });
    return {
      payment_id: paymentId,
      erp_push_status: "applied" as const,
      erp_receipt_number: receiptNumber,
      in_the_erp: seen,
    };
  },
});

import type { Updateable } from "kysely";
import { z } from "zod";
import { MAX_RECEIPT_ROUND } from "../../../gateways/erp/receipt-number.ts";
import type { PaymentRow } from "../../../store/tables/payments.ts";
import { assertNotDisconnected } from "../../erp-access/assert-connected.ts";
import { operation, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { Uuid } from "../../kernel/wire-types.ts";
import { RECEIPTS_QUEUED } from "../receipts/claimed-push.ts";
import { manageReceipt, receiptConflict, receiptState } from "../receipts/manage-receipt.ts";
import type { ManagedPayment } from "../receipts/receipt-queries.ts";
import { PaymentPushStatus } from "../schema.ts";

/**
 * Queues one payment's receipt for another 24 hours, for people and operators (completions §12): one that failed, is held, that the
 * ERP has and could not apply, or that was settled by hand by mistake. A reversed one gets another receipt with a number of its
 * own. Throws `not_found`, `conflict` for any other, `connection_disconnected`.
 */
export const pushPayment = operation({
  id: "pushPayment",
  summary:
    "Push one receipt (again): held, failed, reversed, in the ERP and not applied, or, of the demo, pending or processing",
  errors: ["conflict", "connection_disconnected"],
  ...SETTINGS_CHANGE,
  sideEffects: "The receipt is posted to the ERP, and applied there, within moments or over the next 24 hours.",
  idempotency: true,
  input: z.strictObject({
    paymentId: Uuid.describe("which payment (see payment list)"),
    anyway: z
      .boolean()
      .default(false)
      .describe("even where the ERP's balance already seems to hold the money, or its invoice is retired"),
    settledByMistake: z
      .boolean()
      .default(false)
      .describe("even where somebody settled it by hand: that was a mistake, and the ERP does not have it"),
  }),
  output: z.strictObject({
    payment_id: Uuid,
    erp_push_status: z.enum(["pending", "posted"]),
    was: PaymentPushStatus.describe("The state it was in until then"),
  }),
  async run(context, { paymentId, anyway, settledByMistake }) {
    const { core, actor, now, afterCommit } = context;
    const { before, change } = await manageReceipt(context, paymentId, (payment) => {
      const queued = requeued(payment, settledByMistake);
      if (typeof queued === "string") throw receiptConflict(payment, queued);
      assertNotDisconnected(payment.connection_status);
      return { ...queued, push_anyway: anyway, next_attempt_at: now, push_put_off: false };
    });
    const { erp_push_status: was } = before;
    if (was === null) throw new Error("a receipt without an ERP was queued");
    afterCommit(() => core.store.publish({ topic: RECEIPTS_QUEUED, payload: actor.tenantId }));
    const status = change.erp_push_status === "posted" ? ("posted" as const) : ("pending" as const);
    return { payment_id: paymentId, erp_push_status: status, was };
  },
});

const AS_NEVER_TRIED = { erp_push_error: null, push_first_attempt_at: null } satisfies Updateable<PaymentRow>;

const WITHOUT_RECEIPT = {
  ...AS_NEVER_TRIED,
  erp_push_status: "pending",
  erp_receipt_id: null,
  erp_receipt_number: null,
  applied_at: null,
  reflected_at: null,
  settled_by_hand_at: null,
  push_retryable: false,
} satisfies Updateable<PaymentRow>;

/** Whether a push that somebody asks for would be queued now, and whether only because a settlement was a mistake. */
export function isPushable(payment: ManagedPayment) {
  return { now: typeof requeued(payment, false) !== "string", asMistake: isByHand(payment) };
}

/** What queues a receipt; or why it cannot be queued. */
function requeued(payment: ManagedPayment, settledByMistake: boolean): Updateable<PaymentRow> | string {
  const { erp_push_status: status, receipt_round: round } = payment;
  if (status === "failed" || status === "held") return WITHOUT_RECEIPT;
  if ((status === "pending" || status === "processing") && payment.push_put_off) return { erp_push_status: "pending" };
  if (isByHand(payment) && settledByMistake) return WITHOUT_RECEIPT;
  // The ERP has the receipt: it only has to be applied.
  if (status === "posted" && isUnapplied(payment))
    return { ...AS_NEVER_TRIED, erp_push_status: "posted", push_retryable: true };
  if (status !== "reversed") return receiptState(payment);
  if (round >= MAX_RECEIPT_ROUND) return `was reversed ${round} times: enter it in the ERP and settle it by hand`;
  return { ...WITHOUT_RECEIPT, receipt_round: round + 1 };
}

function isByHand({ erp_push_status: status, settled_by_hand_at: byHand }: ManagedPayment) {
  return byHand !== null && (status === "applied" || status === "posted");
}

/** The ERP does not match the receipt itself, or cannot, and nobody has queued it to be applied. */
function isUnapplied({ erp_push_error: error, push_retryable: isQueued, apply_mode: mode }: ManagedPayment) {
  return error !== null || (mode === "rest_action" && !isQueued);
}

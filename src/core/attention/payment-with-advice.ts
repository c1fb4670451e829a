import { z } from "zod";
import { receiptOf } from "../attention-items/attention-queries.ts";
import { connectionNames } from "../erp-access/connection-queries.ts";
import { operation, PAGES_READ } from "../gate/operation.ts";
import { notFound } from "../kernel/error.ts";
import { Uuid } from "../kernel/wire-types.ts";
import { matchingPayments } from "../payments/list-queries.ts";
import { paymentOnWire } from "../payments/operations/list-payments.ts";
import { isPushable } from "../payments/operations/push-payment.ts";
import { isOpen } from "../payments/receipts/manage-receipt.ts";
import { ownWords } from "../payments/receipts/reason-in-words.ts";
import { managedPayment } from "../payments/receipts/receipt-queries.ts";
import type { Payment } from "../payments/schema.ts";
import { type Advice, adviceOnReceipt } from "./advice.ts";
import { waitingSinceOf } from "./list-attention.ts";

/** One payment, how its receipt stands in the ERP, and what a person can do about it. */
export interface PaymentWithAdvice {
  readonly payment: z.output<typeof Payment>;
  /** The name of the ERP that the receipt goes to; null without one. */
  readonly erp: string | null;
  readonly isSettledByHand: boolean;
  /** Why it is not applied: our own sentence, and what the ERP said, which is data from outside; null for neither. */
  readonly why: { readonly own: string; readonly erpWords: string | null } | null;
  /** Null where nothing is to be done: it is applied, under way for less than a day or goes to no ERP. */
  readonly advice: Advice | null;
  /** Whether a push would be queued now, and whether one would because settling it by hand was a mistake. */
  readonly isPushable: boolean;
  readonly isSettledByMistake: boolean;
  readonly canBeSettled: boolean;
}

/** Reads one payment of a workspace. Throws `not_found`. */
export const paymentWithAdvice = operation({
  id: "readPaymentWithAdvice",
  summary: "Read a payment, and what to do about its receipt",
  ...PAGES_READ,
  input: z.strictObject({ paymentId: Uuid }),
  output: z.custom<PaymentWithAdvice>(),
  async run({ tx, actor: { tenantId }, now }, { paymentId }) {
    const found = matchingPayments(tx, tenantId, {}).where("payments.payment_id", "=", paymentId);
    const payment = await found.executeTakeFirst();
    const receipt = await receiptOf(tx, tenantId, paymentId, waitingSinceOf(now));
    const managed = await managedPayment(tx, { tenantId, paymentId });
    if (payment === undefined || receipt === undefined || managed === undefined) throw notFound("payment");
    const { erp_push_status: status, erp_push_error: error } = receipt;
    const erps = await connectionNames(tx, tenantId, [receipt.connection_id]);
    const push = isPushable(managed);
    const isUnderWay =
      status === "pending" ||
      status === "processing" ||
      (status === "posted" && receipt.push_retryable && error === null);
    return {
      payment: paymentOnWire(payment),
      erp: erps.get(receipt.connection_id) ?? null,
      isSettledByHand: receipt.settled_by_hand_at !== null,
      why: error && { own: ownWords(error, true), erpWords: error.erp ?? null },
      advice:
        status === null || status === "applied" || (isUnderWay && !receipt.is_waiting)
          ? null
          : adviceOnReceipt({ ...receipt, erp_push_status: status }),
      isPushable: push.now,
      isSettledByMistake: push.asMistake,
      canBeSettled: isOpen(managed),
    };
  },
});

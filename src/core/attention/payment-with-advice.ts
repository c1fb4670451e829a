import type { z } from "zod";
import { erpNameOfRow } from "../erp-connections/erp-name.ts";
import type { Core } from "../gate/dependencies.ts";
import { notFound } from "../gate/error.ts";
import { matchingPayments } from "../payments/list-queries.ts";
import { paymentOnWire } from "../payments/operations/list-payments.ts";
import { isPushable } from "../payments/operations/push-payment.ts";
import { isOpen } from "../payments/operations/settle-receipt-by-hand.ts";
import { partsOfReason } from "../payments/receipts/push-outcome.ts";
import { managedPayment } from "../payments/receipts/receipt-queries.ts";
import type { Payment } from "../payments/schema.ts";
import { type Advice, adviceOnReceipt } from "./advice.ts";
import { receiptOf } from "./attention-queries.ts";

/** One payment, how its receipt stands in the ERP, and what a person can do about it. */
export interface PaymentWithAdvice {
  readonly payment: z.output<typeof Payment>;
  /** The name of the ERP that the receipt goes to; null without one. */
  readonly erp: string | null;
  readonly isSettledByHand: boolean;
  /** Why it is not applied: our own sentence, and what the ERP said, which is data from outside; null for neither. */
  readonly why: { readonly own: string; readonly erpWords: string | null } | null;
  /** Null where nothing is to be done: it is applied, under way or goes to no ERP. */
  readonly advice: Advice | null;
  /** Whether a push would be queued now, or only because settling it by hand was a mistake. */
  readonly isPushable: boolean;
  readonly isSettledByMistake: boolean;
  readonly canBeSettled: boolean;
}

/** Reads one payment of a workspace. Throws `not_found`. */
export async function paymentWithAdvice(
  core: Pick<Core, "store">,
  tenantId: string,
  paymentId: string,
): Promise<PaymentWithAdvice> {
  const found = await core.store.read(tenantId, async (tx) => ({
    payment: await matchingPayments(tx, tenantId, {}).where("payments.payment_id", "=", paymentId).executeTakeFirst(),
    receipt: await receiptOf(tx, tenantId, paymentId),
    managed: await managedPayment(tx, { tenantId, paymentId }),
  }));
  const { payment, receipt, managed } = found;
  if (payment === undefined || receipt === undefined || managed === undefined) throw notFound("payment");
  const { erp_push_status: status, erp_push_error: error } = receipt;
  const push = isPushable(managed);
  const isUnderWay =
    status === "pending" ||
    status === "processing" ||
    (status === "posted" && receipt.push_retryable && error === null);
  return {
    payment: paymentOnWire(payment),
    erp: erpNameOfRow(receipt),
    isSettledByHand: receipt.settled_by_hand_at !== null,
    why: error === null ? null : partsOfReason(error),
    advice:
      status === null || status === "applied" || isUnderWay
        ? null
        : adviceOnReceipt({ ...receipt, erp_push_status: status }),
    isPushable: push.now,
    isSettledByMistake: push.asMistake,
    canBeSettled: isOpen(managed),
  };
}

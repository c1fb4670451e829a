import { receiptOf } from "../attention-items/attention-queries.ts";
import { partsOfReason } from "../collection/push-outcome.ts";
import { erpNameOfRow } from "../erp-access/erp-name.ts";
import type { Core } from "../gate/dependencies.ts";
import { notFound } from "../kernel/error.ts";
import { matchingPayments } from "../payments/list-queries.ts";
import { paymentOnWire } from "../payments/operations/list-payments.ts";
import { isPushable } from "../payments/operations/push-payment.ts";
import { isOpen } from "../payments/receipts/manage-receipt.ts";
import { managedPayment } from "../payments/receipts/receipt-queries.ts";
import { adviceOnReceipt } from "./advice.ts";

/** One payment, how its receipt stands in the ERP, and what a person can do about it. */
export type PaymentWithAdvice = Awaited<ReturnType<typeof paymentWithAdvice>>;

/** Reads one payment of a workspace. Throws `not_found`. */
export async function paymentWithAdvice(core: Pick<Core, "store">, tenantId: string, paymentId: string) {
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
    /** The name of the ERP that the receipt goes to; null without one. */
    erp: erpNameOfRow(receipt),
    isSettledByHand: receipt.settled_by_hand_at !== null,
    /** Why it is not applied: our own sentence, and what the ERP said, which is data from outside; null for neither. */
    why: error === null ? null : partsOfReason(error),
    /** Null where nothing is to be done: it is applied, under way or goes to no ERP. */
    advice:
      status === null || status === "applied" || isUnderWay
        ? null
        : adviceOnReceipt({ ...receipt, erp_push_status: status }),
    /** Whether a push would be queued now, or only because settling it by hand was a mistake. */
    isPushable: push.now,
    isSettledByMistake: push.asMistake,
    canBeSettled: isOpen(managed),
  };
}

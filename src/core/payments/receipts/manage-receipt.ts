import type { Updateable } from "kysely";
import type { PaymentRow } from "../../../store/tables/payments.ts";
import { lockChargeableCurrencies, lockInvoices } from "../../collection/collection-queries.ts";
import { stateChange } from "../../collection/push-outcome.ts";
import type { Manager } from "../../gate/actor.ts";
import { isHeld } from "../../gate/retry.ts";
import type { RunContext } from "../../gate/run-context.ts";
import { recomputeInvoices } from "../../invoices/recompute.ts";
import { notFound, ServiceError } from "../../kernel/error.ts";
import { updatePayment } from "../payment-queries.ts";
import { type ManagedPayment, managedPayment } from "./receipt-queries.ts";

/**
 * Changes one payment's receipt as `decide` says and recomputes its invoice; answers the payment before, and the change, which is
 * audited. Throws `not_found`, `conflict` while it is being pushed, and what `decide` throws.
 */
export async function manageReceipt(
  { tx, actor, core, now, audit }: RunContext<Manager>,
  paymentId: string,
  decide: (payment: ManagedPayment) => Updateable<PaymentRow>,
) {
  const { tenantId } = actor;
  await lockChargeableCurrencies(tx, tenantId);
  const which = { tenantId, paymentId };
  const invoiceId = (await managedPayment(tx, which))?.invoice_id;
  if (invoiceId !== undefined) await lockInvoices(tx, tenantId, [invoiceId]);
  const payment = await managedPayment(tx, which, { lock: true });
  if (payment === undefined || invoiceId === undefined) throw notFound("payment");
  if (isHeld(payment, now))
    throw receiptConflict(payment, "is being pushed at this moment: try again when that has ended");
  const change = decide(payment);
  await updatePayment(tx, { tenant_id: tenantId, payment_id: paymentId }, change);
  await recomputeInvoices(tx, core, tenantId, [invoiceId]);
  audit({ type: "payment", id: paymentId, details: { receipt: stateChange(payment.erp_push_status, change) } });
  return { before: payment, change };
}

/** A `conflict` that names the payment, and says what its receipt's state does not allow. */
export function receiptConflict({ payment_id: paymentId }: ManagedPayment, why: string) {
  return new ServiceError("conflict", `The receipt of payment ${paymentId} ${why}.`, { onPage: `The receipt ${why}.` });
}

/** A receipt's state as a person reads it, in the words that a list of payments has. */
export function receiptState({ erp_push_status: status, ...receipt }: ManagedPayment) {
  if (status === null) return "goes to no ERP: the invoice has none";
  if (status === "pending") return "is queued already (pending)";
  if (status === "processing") return "is being pushed (processing)";
  if (status === "posted" && receipt.push_retryable) return "is posted, and queued already to be applied";
  if (status === "posted" && receipt.erp_push_error !== null)
    return "is posted, and the ERP did not apply it: have it applied again, or look there what happened to it";
  if (status === "posted") return "is posted: the ERP has it, and matches it to its invoice itself";
  if (status === "applied" && receipt.settled_by_hand_at !== null)
    return `is applied: somebody settled it by hand with the ERP's receipt ${receipt.erp_receipt_number}`;
  if (status === "applied") return "is applied in the ERP: there is nothing to do";
  return `is ${status}`;
}

const OPEN = new Set<string | null>(["failed", "reversed", "held"]);

/** Whether a receipt in its state can be settled by hand. */
export function isOpen({ erp_push_status: status }: Pick<ManagedPayment, "erp_push_status">) {
  return OPEN.has(status);
}

/** Throws `conflict` for a payment that is not to be settled by hand, with the state that its receipt is in. */
export function assertOpen(payment: ManagedPayment) {
  if (!isOpen(payment)) throw receiptConflict(payment, receiptState(payment));
}

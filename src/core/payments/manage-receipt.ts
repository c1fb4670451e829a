import type { Updateable } from "kysely";
import type { PaymentRow } from "../../store/tables.ts";
import { type Core, nowOf } from "../core.ts";
import { notFound, ServiceError } from "../error.ts";
import { lockChargeableCurrencies, lockInvoices } from "../invoices/collection-queries.ts";
import { recomputeInvoices } from "../invoices/recompute.ts";
import { type Manager, recordManagement } from "../operator.ts";
import { farthestOf } from "../retry.ts";
import { Uuid } from "../validation.ts";
import {
  invoiceOfPayment,
  lockManagedPayment,
  type ManagedPayment,
  writeManagedPayment,
} from "./managed-payment-queries.ts";

/** What is to be done about one payment's receipt, and by whom. */
interface Management {
  readonly actor: Manager;
  readonly operation: string;
  readonly paymentId: string;
  readonly requestId: string;
}

/**
 * Decides about one payment's receipt and derives its invoice's figures anew, audited, in one transaction. Throws
 * `not_found`, `permission_denied`, `conflict` while it is being pushed, and what `decide` throws. Answers what the payment was, and the change.
 */
export async function manageReceipt(
  core: Core,
  { actor, operation, paymentId, requestId }: Management,
  decide: (payment: ManagedPayment, now: string) => Updateable<PaymentRow>,
): Promise<{ before: ManagedPayment; change: Updateable<PaymentRow> }> {
  const { tenantId } = actor;
  if (!Uuid.safeParse(paymentId).success) throw notFound("payment");
  return core.store.write(tenantId, async (tx) => {
    await lockChargeableCurrencies(tx, tenantId);
    const invoiceId = await invoiceOfPayment(tx, tenantId, paymentId);
    if (invoiceId === undefined) throw notFound("payment");
    await lockInvoices(tx, tenantId, [invoiceId]);
    const payment = await lockManagedPayment(tx, tenantId, paymentId);
    const now = nowOf(core);
    if (
      payment.push_lease_expires_at !== null &&
      payment.push_lease_expires_at > now &&
      payment.push_lease_expires_at <= farthestOf(now)
    )
      throw receiptConflict(payment, "is being pushed at this moment: try again when that has ended");
    const change = decide(payment, now);
    await writeManagedPayment(tx, tenantId, paymentId, change);
    await recomputeInvoices(tx, core, tenantId, [invoiceId]);
    const details = { receipt: changeInWords(payment, change) };
    const act = { operation, objectType: "payment", objectId: paymentId, requestId, details };
    await recordManagement(tx, core, { actor, ...act });
    return { before: payment, change };
  });
}

/** "failed → applied, CHK-1", for the audit trail. */
function changeInWords({ erp_push_status: before }: ManagedPayment, change: Updateable<PaymentRow>): string {
  const number = change.erp_receipt_number ?? null;
  return `${before} → ${change.erp_push_status ?? before}${number === null ? "" : `, ${number}`}`;
}

/** A `conflict` that names the payment, and says what its receipt's state does not allow. */
export function receiptConflict({ payment_id: paymentId }: ManagedPayment, why: string): ServiceError {
  return new ServiceError("conflict", `The receipt of payment ${paymentId} ${why}.`);
}

/** A receipt's state as a person reads it, in the words that a list of payments has. */
export function receiptState({ erp_push_status: status, ...receipt }: ManagedPayment): string {
  if (status === null) return "goes to no ERP: the invoice has none";
  if (status === "pending") return "is queued already (pending)";
  if (status === "processing") return "is being pushed (processing)";
  if (status === "posted" && receipt.push_retryable) return "is posted, and queued already to be applied";
  if (status === "posted") return "is posted: the ERP has it, and matches it to its invoice itself";
  if (status === "applied" && receipt.settled_by_hand_at !== null)
    return `is applied: somebody settled it by hand with the ERP's receipt ${receipt.erp_receipt_number}`;
  if (status === "applied") return "is applied in the ERP: there is nothing to do";
  return `is ${status}`;
}

import type { PaymentRow } from "../../store/tables/payments.ts";
import { erpNameOfRow } from "../erp-access/erp-name.ts";
import type { Core } from "../gate/dependencies.ts";
import { formatMoney, formatStored, fromMinor } from "../kernel/money.ts";
import { type ListedReceipt, latestReceipts } from "./list-queries.ts";

type Status = NonNullable<PaymentRow["erp_push_status"]>;

/**
 * The latest payments of a workspace by when they were paid, and the state of their receipts, for operators; at most `limit`; of
 * one receipt status, where it is given.
 */
export async function listReceipts(
  core: Core,
  tenantId: string,
  { status, limit }: { status?: Status | undefined; limit: number },
) {
  const rows = await core.store.read(tenantId, (tx) => latestReceipts(tx, tenantId, { status, limit }));
  return rows.map((row) => ({
    payment: row.payment_id,
    invoice: row.invoice_number,
    customer: row.customer_name,
    /** The name of the ERP; null where the invoice has none, as the status is. */
    erp: erpNameOfRow(row),
    amount: formatStored(row.amount, row.currency),
    currency: row.currency,
    paid_at: row.paid_at,
    status: row.erp_push_status,
    receipt_number: row.erp_receipt_number,
    /** A person said that the ERP has the money by this receipt. */
    settled_by_hand: row.settled_by_hand_at !== null,
    refunded: refundedOf(row),
    disputed: row.disputed,
    /** It may quote the ERP: data from outside. */
    reason: row.erp_push_error,
  }));
}

function refundedOf({ refunded_minor: minor, currency }: ListedReceipt): string | null {
  const refunded = fromMinor(BigInt(minor), currency);
  return refunded === undefined || refunded.isZero() ? null : formatMoney(refunded, currency);
}

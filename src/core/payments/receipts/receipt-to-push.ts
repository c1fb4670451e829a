import { receiptNumberOfRound } from "../../../gateways/erp/receipt-number.ts";
import type { NewReceipt } from "../../../gateways/erp/receipts.ts";
import { businessDate } from "../../kernel/calendar.ts";
import type { ExpectedBalance } from "./push-balance.ts";
import type { ClaimedPush, OtherPushRow, PushRow } from "./push-queries.ts";

/** A payment's receipt, as far as the service knows what an ERP asks for. */
export interface ReceiptToPush extends Omit<NewReceipt, "businessUnit" | "customerNumber"> {
  readonly businessUnit: string | null;
  readonly customerNumber: string | null;
  /** What the ERP bills its invoice in now. */
  readonly invoiceCurrency: string | null;
  /** What it is applied to; null where the ERP has no installment for it. */
  readonly erpInstallmentId: string | null;
  /** The ERP's id of it, once it is known to be there. */
  readonly receiptId: string | null;
  /** An earlier attempt sent it, and was cut off before the outcome was known. */
  readonly mayHaveArrived: boolean;
  /** What the ERP's balance is held against before a receipt is created; null where a person said to push it anyway. */
  readonly expected: ExpectedBalance | null;
}

/** The receipt of a claimed push: dated by the day of the payment in the workspace's timezone (completions §12). */
export function receiptToPush(push: ClaimedPush, row: PushRow, others: readonly OtherPushRow[]): ReceiptToPush {
  return {
    // One that was entered in the ERP by hand has a number of its own.
    receiptNumber: row.erp_receipt_number ?? receiptNumberOfRound(push.payment_id, row.receipt_round),
    amount: row.amount,
    currency: row.currency,
    invoiceCurrency: row.invoice_currency,
    receiptDate: businessDate(new Date(row.paid_at), row.timezone),
    receiptMethod: row.receipt_method,
    businessUnit: row.business_unit,
    customerNumber: row.customer_number,
    customerSite: row.customer_site,
    invoiceNumber: row.invoice_number,
    applyMode: row.apply_mode,
    erpInstallmentId: row.erp_installment_id,
    receiptId: row.erp_receipt_id,
    mayHaveArrived: row.erp_push_status === "processing",
    expected: row.push_anyway ? null : { payment: row, others },
  };
}

import { attributeOf, rawAmount } from "./exact.ts";
import type { ReceiptLedger } from "./receipt-ledger.ts";
import type { FusionRecords } from "./records.ts";
import { receipts } from "./resources.ts";

/** A receipt that the simulator holds; amounts as plain decimals. */
export interface SimulatedReceipt {
  readonly receiptId: string;
  readonly receiptNumber: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  /** `Applied`, `Unapplied`, `Unidentified`, or why it was reversed. */
  readonly state: string | null;
  readonly unappliedAmount: string;
  readonly applications: readonly { readonly installmentId: string; readonly amount: string }[];
}

/** The receipts of a tenant, oldest first. */
export function simulatedReceipts(records: FusionRecords, ledger: ReceiptLedger): SimulatedReceipt[] {
  return records.all(receipts).map((receipt) => ({
    receiptId: receipt.id,
    receiptNumber: attributeOf(receipt, "ReceiptNumber"),
    amount: attributeOf(receipt, "Amount"),
    currency: attributeOf(receipt, "Currency"),
    state: attributeOf(receipt, "State"),
    unappliedAmount: rawAmount(ledger.unapplied(receipt)).rawJSON,
    applications: ledger
      .applicationsOf(receipt.id)
      .map(({ installmentId, amount }) => ({ installmentId, amount: rawAmount(amount).rawJSON })),
  }));
}

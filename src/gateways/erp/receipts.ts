/**
 * Receipts: how collected money is written to an ERP (completions §7). Money and dates as in gateway.ts. A receipt must not
 * be posted twice, so a caller looks it up before it repeats a write.
 */

import type { ErpReason } from "../../erp-reasons.ts";

/** What stops a call: it rejects with the signal's own reason then. */
export interface Stoppable {
  readonly signal: AbortSignal;
}

/** Who applies a receipt: the service by a call, or the ERP itself by the invoice number sent along. */
type ApplyMode = "rest_action" | "automatch";

/** A receipt to be created. What the ERP defaults (accounting date, bank account) is left to it. */
export interface NewReceipt {
  /** See receipt-number.ts: the same for every attempt, so that an earlier one is found. */
  readonly receiptNumber: string;
  /** Above zero. */
  readonly amount: string;
  readonly currency: string;
  /** The same for every attempt: with another one an ERP may not see the duplicate. */
  readonly receiptDate: string;
  /** The way of payment as the ERP names it; one of those its users have set up. */
  readonly receiptMethod: string;
  readonly businessUnit: string;
  readonly customerNumber: string;
  readonly customerSite: string | null;
  /** The invoice it pays; sent for `automatch` only. */
  readonly invoiceNumber: string | null;
  readonly applyMode: ApplyMode;
}

/**
 * - `posted`: the ERP has it, and has not allocated all of it.
 * - `applied`: all of it is allocated.
 * - `reversed`: the ERP undid it: reversed, stopped or returned unpaid (service.md §3.3).
 */
export type ReceiptState = "posted" | "applied" | "reversed";

/** A receipt as the ERP has it at the moment it is read. */
export interface ErpReceipt {
  readonly receiptId: string;
  readonly receiptNumber: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly receiptDate: string | null;
  readonly state: ReceiptState;
  /** Why it was undone, as the ERP says it; null where it gives no reason. Data from outside. */
  readonly reversalReason: string | null;
  /** What of it is not allocated; null where the ERP does not say, as right after its creation. */
  readonly unappliedAmount: string | null;
}

/** As in an ErpError (completions §9). */
export type Application =
  | { readonly outcome: "applied" }
  | { readonly outcome: "refused"; readonly reason: ErpReason; readonly erpMessage: string | null };

/**
 * The part of a gateway that writes. A write is sent once. Every call rejects with an ErpError, whose `outcomeUnknown` the
 * caller has to check, or with the signal's reason once it is aborted; an aborted write may have been carried out, too.
 */
export interface ErpReceipts {
  /** Null for none; of several the latest not reversed. Anybody may have made it: compare amount and currency. */
  findReceipt(receiptNumber: string, options: Stoppable): Promise<ErpReceipt | null>;

  /**
   * Creates a receipt, or answers the one of its number where an earlier attempt had succeeded, in any state. Look it up before any
   * attempt but the first.
   */
  createReceipt(receipt: NewReceipt, options: Stoppable): Promise<ErpReceipt>;

  /** Allocates that much of a receipt to an installment; `applied` as well where an earlier attempt did so. */
  applyReceipt(
    application: { readonly receiptId: string; readonly erpInstallmentId: string; readonly amount: string },
    options: Stoppable,
  ): Promise<Application>;

  /** As the ERP has it now; null when it has been deleted, or is no longer shown to this user. */
  readReceipt(receiptId: string, options: Stoppable): Promise<ErpReceipt | null>;

  /**
   * Many at once, by id; those that {@link readReceipt} would answer null for are left out. So are those of which a value cannot be
   * taken in, where `setAside` is told why; without it, they reject.
   */
  readReceipts(
    receiptIds: readonly string[],
    options: Stoppable & { readonly setAside?: (receiptId: string, why: Error) => void },
  ): Promise<ReadonlyMap<string, ErpReceipt>>;
}

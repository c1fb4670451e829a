import type { ErpGateway, ErpInvoice } from "../../gateways/erp/gateway.ts";
import type { ErpReceipt, ErpReceipts } from "../../gateways/erp/receipts.ts";
import { atLeastZero, formatMoney, type Money, money, sum, ZERO } from "../money.ts";

/** What tells whether the ERP's balance holds a payment already, before its receipt is created. */
export interface ExpectedBalance {
  readonly erpInvoiceId: string;
  /** Null where the ERP has none; then the invoice's own balance counts. */
  readonly erpInstallmentId: string | null;
  /** What the ERP showed as owed when the payment was recorded; null where that is not known. */
  readonly before: string | null;
  /** Other payments of the same installment that `before` did not include. */
  readonly others: readonly OtherReceipt[];
}

/** Another payment's receipt on the same installment. */
export interface OtherReceipt {
  readonly amount: string;
  readonly receiptId: string | null;
  readonly receiptNumber: string;
  readonly applied: boolean;
  /** A person entered it in the ERP: it cannot be looked up. */
  readonly byHand: boolean;
  /** What the ERP showed as owed when that payment was recorded. */
  readonly before: string | null;
}

/** The part of a gateway that tells what is owed, and what of it the service's own receipts explain. */
export type BalanceGateway = Pick<ErpGateway, "findInvoices"> & Pick<ErpReceipts, "findReceipt" | "readReceipts">;

interface Payment {
  readonly amount: string;
  readonly currency: string;
}

/**
 * Reads what the ERP shows as owed now, and answers in a public sentence why a receipt must not be created: less is owed
 * than the service's own receipts explain, by the payment's amount or more (completions §12). Null when it may be. Of a
 * balance that was not known before, only that less is left than the payment counts. Rejects as the gateway does.
 */
export async function heldByBalance(
  gateway: BalanceGateway,
  { amount, currency }: Payment,
  expected: ExpectedBalance,
  options: { readonly signal: AbortSignal },
): Promise<string | null> {
  const invoices = await gateway.findInvoices([expected.erpInvoiceId], options);
  const balance = balanceOf(invoices[0], expected);
  if (balance === null) return null;
  const { owed, before } = balance;
  const holds = (explained: Money) =>
    before === null
      ? owed.plus(explained).lessThan(money(amount))
      : before.minus(owed).minus(explained).greaterThanOrEqualTo(money(amount));
  // The service's own receipts are asked for only where they make the difference.
  if (!holds(ZERO) || !holds(await explainedBy(gateway, expected, options))) return null;
  const shown = (figure: Money) => `${formatMoney(figure, currency)} ${currency}`;
  const then =
    before === null ? "less than the payment" : `and showed ${shown(before)} at the last sync before the payment`;
  return `The ERP's balance already seems to hold this payment: it shows ${shown(owed)} owed now, ${then}. Nothing was sent. ${WAYS_ON}`;
}

const WAYS_ON =
  "If this money was entered there by hand, settle the payment by hand with the ERP's receipt number. If the customer paid twice, refund one of the two. Otherwise retry the push with --anyway.";

interface Balance {
  readonly owed: Money;
  readonly before: Money | null;
}

/** Null where the ERP does not say. An installment that it replaced leaves the invoice's balance, which has no before. */
function balanceOf(invoice: ErpInvoice | undefined, { erpInstallmentId, before }: ExpectedBalance): Balance | null {
  if (invoice === undefined) return null;
  const installment = invoice.installments.find((one) => one.erpInstallmentId === erpInstallmentId);
  const replaced = erpInstallmentId !== null && installment === undefined;
  const owed = installment === undefined ? invoice.openBalance : installment.outstanding;
  if (owed === null) return null;
  return { owed: money(owed), before: before === null || replaced ? null : money(before) };
}

/** What of the service's other receipts has gone off the balance since. */
async function explainedBy(
  gateway: BalanceGateway,
  { others, before }: ExpectedBalance,
  options: { readonly signal: AbortSignal },
): Promise<Money> {
  const ids = others.flatMap(({ receiptId }) => (receiptId === null ? [] : [receiptId]));
  const read = ids.length === 0 ? new Map<string, ErpReceipt>() : await gateway.readReceipts(ids, options);
  const parts: Money[] = [];
  for (const other of others) {
    if (other.byHand) {
      parts.push(enteredSince(other, before));
      continue;
    }
    const { receiptId, receiptNumber } = other;
    const found =
      receiptId === null ? await gateway.findReceipt(receiptNumber, options) : (read.get(receiptId) ?? null);
    parts.push(found === null ? money(other.applied ? other.amount : "0") : appliedPart(found, other.amount));
  }
  return sum(parts);
}

/** Of a receipt entered by hand, what had not gone off the balance before the later payment was recorded. */
function enteredSince({ amount, before: earlier }: OtherReceipt, later: string | null): Money {
  const gone = earlier === null || later === null ? ZERO : atLeastZero(money(earlier).minus(money(later)));
  return atLeastZero(money(amount).minus(gone));
}

function appliedPart({ state, unappliedAmount }: ErpReceipt, amount: string): Money {
  if (state === "reversed") return ZERO;
  if (state === "applied") return money(amount);
  return atLeastZero(money(amount).minus(money(unappliedAmount ?? amount)));
}

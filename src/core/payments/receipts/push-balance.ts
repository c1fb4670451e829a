import type { ErpGateway, ErpInvoice } from "../../../gateways/erp/gateway.ts";
import type { ErpReceipt, ErpReceipts } from "../../../gateways/erp/receipts.ts";
import { readableMoney } from "../../mail/readable.ts";
import { atLeastZero, type Money, money, sum, ZERO } from "../../shared/money.ts";
import { PUSH_REASONS } from "./push-reasons.ts";

/** What tells whether the ERP's balance holds a payment already, before its receipt is created. */
export interface ExpectedBalance {
  readonly erpInvoiceId: string;
  /** Null where the ERP has none; then the invoice's own balance counts. */
  readonly erpInstallmentId: string | null;
  /** What the ERP showed as owed when the payment was recorded; null where that is not known. */
  readonly before: string | null;
  /** That was read after the money was paid: the ERP's users may have entered it by then. */
  readonly readAfterPayment: boolean;
  /** The service's receipts that `before` is known to include, and since when. */
  readonly included: readonly { readonly amount: string; readonly at: string }[];
  /** Other payments of the same installment, in the order of their recording. */
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
  /** It was under way, or in a person's hands, when the later payment's `before` was read. */
  readonly mayBeIncluded: boolean;
  /** What the ERP showed as owed when that payment was recorded. */
  readonly before: string | null;
  readonly recordedAt: string;
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
 * balance that was not known before the payment, only that less is left than it counts. Rejects as the gateway does.
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
  const { readAfterPayment, included } = expected;
  // Of what was read after the payment nothing says what was owed before, but that the service's own receipts settled it.
  const ours = readAfterPayment ? sum(included.map((one) => money(one.amount))) : ZERO;
  const isLess = (explained: Money) => owed.plus(explained).plus(ours).lessThan(money(amount));
  const isGone = (since: Money, explained: Money) =>
    since.minus(owed).minus(explained).greaterThanOrEqualTo(money(amount));
  const holds = ({ all, since }: Explained) =>
    before === null ? isLess(all) : isGone(before, since) || (readAfterPayment && isLess(all));
  // The service's own receipts are asked for only where they make the difference.
  if (!holds({ all: ZERO, since: ZERO })) return null;
  const explained = await explainedBy(gateway, expected, options);
  if (!holds(explained)) return null;
  const shown = (figure: Money) => readableMoney(figure, currency);
  const then =
    before === null || !isGone(before, explained.since)
      ? "less than the payment"
      : `and showed ${shown(before)} at the last sync before the payment`;
  return `${PUSH_REASONS.balance_holds}: it shows ${shown(owed)} owed now, ${then}. Nothing was sent. ${WAYS_ON}`;
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

/** How much the service's other receipts took off the balance: in all, and of that since the payment's `before`. */
interface Explained {
  readonly all: Money;
  readonly since: Money;
}

async function explainedBy(
  gateway: BalanceGateway,
  expected: ExpectedBalance,
  options: { readonly signal: AbortSignal },
): Promise<Explained> {
  const { others } = expected;
  const ids = others.flatMap(({ receiptId }) => (receiptId === null ? [] : [receiptId]));
  const read = ids.length === 0 ? new Map<string, ErpReceipt>() : await gateway.readReceipts(ids, options);
  const parts: Part[] = [];
  for (const other of others) {
    const { receiptId, receiptNumber, amount, byHand, applied } = other;
    if (byHand) {
      parts.push({ other, gone: money(amount) });
      continue;
    }
    const found =
      receiptId === null ? await gateway.findReceipt(receiptNumber, options) : (read.get(receiptId) ?? null);
    parts.push({ other, gone: found === null ? (applied ? money(amount) : ZERO) : appliedPart(found, amount) });
  }
  const all = sum(parts.map(({ gone }) => gone));
  return { all, since: all.minus(goneBefore(parts, expected)) };
}

interface Part {
  readonly other: OtherReceipt;
  readonly gone: Money;
}

/**
 * What of receipts that were under way `before` included already. Of one alone nobody can say, but of all together: no more
 * than the balance had fallen by since the first of them was recorded, less what other receipts took off it.
 */
function goneBefore(parts: readonly Part[], { before, included }: ExpectedBalance): Money {
  const underWay = parts.filter(({ other, gone }) => other.mayBeIncluded && !gone.isZero());
  const first = underWay[0]?.other;
  if (before === null || first === undefined || first.before === null) return ZERO;
  const known = included.filter(({ at }) => at >= first.recordedAt).map(({ amount }) => money(amount));
  const fell = atLeastZero(money(first.before).minus(money(before)).minus(sum(known)));
  const most = sum(underWay.map(({ gone }) => gone));
  return fell.lessThan(most) ? fell : most;
}

function appliedPart({ state, unappliedAmount }: ErpReceipt, amount: string): Money {
  if (state === "reversed") return ZERO;
  if (state === "applied") return money(amount);
  return atLeastZero(money(amount).minus(money(unappliedAmount ?? amount)));
}

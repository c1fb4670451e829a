import type { ErpReason } from "../../../erp-reasons.ts";
import { type ErpGateway, type ErpInvoice, errorOfUnreadable } from "../../../gateways/erp/gateway.ts";
import { receiptNumberOf } from "../../../gateways/erp/receipt-number.ts";
import type { ErpReceipt, ErpReceipts } from "../../../gateways/erp/receipts.ts";
import { atLeastZero, type Money, money, sum, ZERO } from "../../kernel/money.ts";
import type { OtherPushRow, PushRow } from "./push-queries.ts";

/** The part of a gateway that tells what is owed, and what of it the service's own receipts explain. */
export type BalanceGateway = Pick<ErpGateway, "findInvoices"> & Pick<ErpReceipts, "findReceipt" | "readReceipts">;

/**
 * Reads what the ERP shows as owed now, and answers why a receipt must not be created: less is owed
 * than the service's own receipts explain, by the payment's amount or more (completions §12). Null when it may be. Of a
 * balance that was not known before the payment, only that less is left than it counts. What the ERP does not show may hold it:
 * that waits, and is a person's once a pull has retired the invoice. Rejects as the gateway does.
 */
export async function heldByBalance(
  gateway: BalanceGateway,
  payment: PushRow & { readonly others: readonly OtherPushRow[] },
  options: { readonly signal: AbortSignal },
): Promise<ErpReason | null> {
  const { erp_invoice_id: erpInvoiceId, erp_outstanding_read_at: readAt, currency, others: all } = payment;
  if (erpInvoiceId === null) return null;
  const amount = money(payment.amount);
  const [page] = await Array.fromAsync(gateway.findInvoices([erpInvoiceId], options));
  const [unreadable] = page?.unreadable ?? [];
  if (unreadable !== undefined) throw errorOfUnreadable(unreadable);
  const invoice = page?.invoices[0];
  // Hidden from the service's user, it may hold the payment; a pull that retired it saw no more.
  if (invoice === undefined) return { code: payment.retired_at === null ? "invoice_not_shown" : "invoice_retired" };
  const balance = balanceOf(invoice, payment);
  if (balance === null) return null;
  const { owed, before } = balance;
  // The service's receipts that the balance before the payment is known to include, and the others.
  const included = all.filter((other) => isIncluded(other, payment));
  const others = all.filter((other) => !isIncluded(other, payment));
  // The ERP's users may have entered the payment by the time of that read, so it says nothing of what was owed before it,
  // but that the service's own receipts settled it.
  const readAfterPayment = readAt !== null && payment.paid_at < readAt;
  const ours = readAfterPayment ? amountOf(included) : ZERO;
  const isLess = (explained: Money) => owed.plus(explained).plus(ours).lessThan(amount);
  const isGone = (since: Money, explained: Money) => since.minus(owed).minus(explained).greaterThanOrEqualTo(amount);
  const holds = ({ all, since }: Explained) =>
    before === null ? isLess(all) : isGone(before, since) || (readAfterPayment && isLess(all));
  // The service's own receipts are asked for only where they make the difference.
  if (!holds({ all: ZERO, since: ZERO })) return null;
  const parts = await partsOf(gateway, others, options);
  const gone = sum(parts.map((part) => part.gone));
  const explained = { all: gone, since: gone.minus(goneBefore(parts, payment, included)) };
  if (!holds(explained)) return null;
  const shown = (figure: Money) => ({ amount: figure.toFixed(), currency });
  return before === null || !isGone(before, explained.since)
    ? { code: "balance_less", owed: shown(owed) }
    : { code: "balance_fell", owed: shown(owed), before: shown(before) };
}

/** Null where the ERP does not say. An installment that it replaced leaves the invoice's balance, which has no before. */
function balanceOf(invoice: ErpInvoice, { erp_installment_id: id, erp_outstanding_before: before }: PushRow) {
  const installment = invoice.installments.find((one) => one.erpInstallmentId === id);
  const replaced = id !== null && installment === undefined;
  const owed = installment === undefined ? invoice.openBalance : installment.outstanding;
  if (owed === null) return null;
  return { owed: money(owed), before: before === null || replaced ? null : money(before) };
}

const amountOf = (payments: readonly { readonly amount: string }[]) => sum(payments.map(({ amount }) => money(amount)));

const isIncluded = ({ reflected_at: at }: OtherPushRow, payment: PushRow) => at !== null && at < payment.created_at;

/** It was under way, or in a person's hands, when the payment's balance before was read. */
function mayBeIncluded(other: OtherPushRow, { created_at: recordedAt, erp_outstanding_read_at: readAt }: PushRow) {
  if (other.settled_by_hand_at !== null) return other.created_at <= recordedAt;
  return readAt !== null && other.push_first_attempt_at !== null && other.push_first_attempt_at <= readAt;
}

/** How much the service's other receipts took off the balance: in all, and of that since the balance before was read. */
interface Explained {
  readonly all: Money;
  readonly since: Money;
}

/** Another payment, and how much its receipt took off the balance. */
interface Part {
  readonly other: OtherPushRow;
  readonly gone: Money;
}

async function partsOf(
  gateway: BalanceGateway,
  others: readonly OtherPushRow[],
  options: { readonly signal: AbortSignal },
) {
  // That a person entered it there is taken at their word, until a pull finds otherwise.
  const isTheirWord = (other: OtherPushRow) => other.settled_by_hand_at !== null && other.erp_push_status === "applied";
  const ids = others.flatMap((other) => (isTheirWord(other) ? [] : (other.erp_receipt_id ?? [])));
  const read = await gateway.readReceipts(ids, options);
  const parts: Part[] = [];
  for (const other of others) {
    const { amount, erp_receipt_id: receiptId } = other;
    if (isTheirWord(other)) {
      parts.push({ other, gone: money(amount) });
      continue;
    }
    const number = receiptNumberOf(other.payment_id, other.receipt_round);
    const found = receiptId === null ? await gateway.findReceipt(number, options) : (read.get(receiptId) ?? null);
    const unseen = other.erp_push_status === "applied" ? money(amount) : ZERO;
    parts.push({ other, gone: found === null ? unseen : appliedPart(found, amount) });
  }
  return parts;
}

/**
 * What of receipts that were under way the balance before included already. Of a single one nobody can say, but of all together:
 * no more than the balance had fallen by since the first of them was recorded, less what other receipts took off it.
 */
function goneBefore(parts: readonly Part[], payment: PushRow, included: readonly OtherPushRow[]) {
  const { erp_outstanding_before: before } = payment;
  const underWay = parts.filter(({ other, gone }) => mayBeIncluded(other, payment) && !gone.isZero());
  const first = underWay[0]?.other;
  if (before === null || first === undefined || first.erp_outstanding_before === null) return ZERO;
  const known = included.filter(({ reflected_at: at }) => at !== null && at >= first.created_at);
  const fell = atLeastZero(money(first.erp_outstanding_before).minus(money(before)).minus(amountOf(known)));
  const most = sum(underWay.map(({ gone }) => gone));
  return fell.lessThan(most) ? fell : most;
}

/** The state of a payment's receipt, which may hold more if a person entered it: what of it is not allocated may be others' money. */
export function stateForPayment(receipt: ErpReceipt, payment: string) {
  return appliedPart(receipt, payment).greaterThanOrEqualTo(money(payment)) ? "applied" : receipt.state;
}

/** What of a payment a receipt took off the ERP's balance, as far as the receipt tells. */
export function appliedPart({ state, ...receipt }: ErpReceipt, payment: string) {
  if (state === "reversed") return ZERO;
  if (state === "applied") return money(payment);
  const amount = receipt.amount ?? payment;
  const allocated = atLeastZero(money(amount).minus(money(receipt.unappliedAmount ?? amount)));
  return allocated.lessThan(money(payment)) ? allocated : money(payment);
}

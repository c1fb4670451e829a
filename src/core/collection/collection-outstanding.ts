import { atLeastZero, type Money, money, sum, ZERO } from "../kernel/money.ts";
import type { InstallmentFacts, InvoiceFacts, PaymentFacts } from "./collection-facts.ts";

/** Whether the ERP's balance already includes a payment; a reversed receipt is taken out of it again. */
export function isReflected(payment: PaymentFacts) {
  return payment.reflected_at !== null && payment.erp_push_status !== "reversed";
}

/** An amount of the ERP's, zero where it tells none. */
export function erpAmount(text: string | null) {
  return text === null ? ZERO : money(text);
}

/** What is owed less payments, never below zero (completions §6). */
export function lessPayments(owed: string | null, payments: readonly Pick<PaymentFacts, "amount">[]) {
  return atLeastZero(erpAmount(owed).minus(sum(payments.map((payment) => money(payment.amount)))));
}

/** What is owed before payments: by an invoice of the service's own as it was made, unless it is void; else as the ERP says. */
export function owedBefore(invoice: InvoiceFacts, own: string | null, erp: string | null) {
  if (invoice.origin === "erp") return erp;
  return (invoice.voided_at ?? null) === null ? own : null;
}

/**
 * What is left of each installment, by its id. The ERP may replace installments that were paid on (new terms, a split):
 * that money, and what was paid on none, settles those that are live, the earliest due first.
 */
export function leftOfEach(
  invoice: InvoiceFacts,
  installments: readonly InstallmentFacts[],
  settling: readonly Pick<PaymentFacts, "installment_id" | "amount">[],
) {
  const left = new Map<string, Money>();
  for (const { installment_id: id, original_amount, erp_outstanding } of installments) {
    const own = settling.filter((payment) => payment.installment_id === id);
    left.set(id, lessPayments(owedBefore(invoice, original_amount, erp_outstanding), own));
  }
  const live = installments.filter(({ removed_at }) => removed_at === null);
  const liveIds = new Set(live.map(({ installment_id }) => installment_id));
  const strays = settling.filter(({ installment_id: id }) => id === null || !liveIds.has(id));
  if (strays.length === 0) return left;
  let stray = sum(strays.map((payment) => money(payment.amount)));
  for (const { installment_id: id } of live.sort(byDueDate)) {
    const before = left.get(id) ?? ZERO;
    left.set(id, atLeastZero(before.minus(stray)));
    stray = atLeastZero(stray.minus(before));
  }
  return left;
}

/** Undated ones last; then by number, and by id where nothing else tells them apart. */
function byDueDate(a: InstallmentFacts, b: InstallmentFacts) {
  if (a.due_date !== b.due_date) return (a.due_date ?? "~") < (b.due_date ?? "~") ? -1 : 1;
  const order = (a.sequence_number ?? Number.MAX_SAFE_INTEGER) - (b.sequence_number ?? Number.MAX_SAFE_INTEGER);
  return order !== 0 ? order : a.installment_id < b.installment_id ? -1 : 1;
}

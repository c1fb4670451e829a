import type { ModelBook } from "./collecting-model-book.ts";
import { type Invoice, type Payment, sum } from "./collecting-model-facts.ts";

/** An invoice's total fell: what was paid for it, and kept, beyond that is told, the latest payments first. */
export function fellTo({ payments, concerns }: ModelBook, own: Invoice, total: bigint): void {
  const paid = payments.filter(({ part, currency }) => part.invoice === own && currency === own.seen.currency);
  let over = sum(paid.map(({ amount, refunded }) => amount - refunded)) - total;
  const isLater = (one: Payment, other: Payment) => one.paidAt - other.paidAt || (one.id < other.id ? -1 : 1);
  for (const { key, amount, refunded } of paid.toSorted((one, other) => isLater(other, one))) {
    const excess = amount - refunded < over ? amount - refunded : over;
    if (excess <= 0n) continue;
    over -= excess;
    concerns.set(`payment_over_owed ${key}`, { amount: excess, known: true, resolved: false });
  }
}

/** So much of a payment was refunded by then, less what had failed; of two in one second, the larger came last. */
export function refunded({ payments, concerns }: ModelBook, key: string, { total, at }: { total: bigint; at: number }) {
  const payment = payments.find((one) => one.key === key);
  const name = `payment_refunded ${key}`;
  const { amount: told = 0n, at: before = at } = concerns.get(name) ?? {};
  const failed = [...concerns].filter(([one, concern]) => {
    return one.startsWith("refund_failed") && concern.key === key && (concern.at ?? 0) >= at;
  });
  const amount = total - sum(failed.map(([, concern]) => concern.amount));
  const isLarger = amount > (payment?.refunded ?? told);
  if (amount < 0n || !(payment === undefined || at === before ? isLarger : at > before)) return;
  if (payment !== undefined) payment.refunded = amount;
  concerns.set(name, { amount, known: payment !== undefined, resolved: false, at, key });
}

/** A refund came to nothing. */
export function refundFailed(
  { payments, concerns }: ModelBook,
  key: string,
  { id, amount, at }: { id: string; amount: bigint; at: number },
): void {
  const payment = payments.find((one) => one.key === key);
  const name = `refund_failed ${id}`;
  if (payment === undefined || concerns.has(name)) return;
  concerns.set(name, { amount, known: true, resolved: false, at, key });
  const kept = concerns.get(`payment_refunded ${key}`);
  if (kept === undefined || (kept.at ?? 0) > at) return;
  payment.refunded = payment.refunded > amount ? payment.refunded - amount : 0n;
  Object.assign(kept, { amount: payment.refunded, resolved: kept.resolved || payment.refunded === 0n });
}

/** How a payment's dispute stands; of two in one second, the bank's decision came last. */
export function disputed(
  { payments, concerns }: ModelBook,
  key: string,
  { amount, ...told }: NonNullable<Payment["dispute"]> & { readonly amount: bigint },
): void {
  const payment = payments.find((one) => one.key === key);
  const { dispute: last = null } = payment ?? {};
  if (payment === undefined) return;
  if (last !== null && (last.closed || told.at < last.at)) return;
  payment.dispute = told;
  const name = `payment_disputed ${key}`;
  const concern = concerns.get(name);
  if (told.disputed) concerns.set(name, { amount, known: true, resolved: false });
  else if (concern !== undefined) concern.resolved = true;
}

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

/** So much of a payment was refunded so far; what is told late says less. */
export function refunded({ payments, concerns }: ModelBook, key: string, total: bigint): void {
  const payment = payments.find((one) => one.key === key);
  const name = `payment_refunded ${key}`;
  if (total <= (payment?.refunded ?? concerns.get(name)?.amount ?? 0n)) return;
  if (payment !== undefined) payment.refunded = total;
  concerns.set(name, { amount: total, known: payment !== undefined, resolved: false });
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

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

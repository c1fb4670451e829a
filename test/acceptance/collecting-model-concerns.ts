import type { ModelBook } from "./collecting-model-book.ts";
import type { Payment } from "./collecting-model-facts.ts";

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

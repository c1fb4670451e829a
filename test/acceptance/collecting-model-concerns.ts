import type { ModelBook } from "./collecting-model-book.ts";
import { atLeastZero, type Invoice, type Payment, sum } from "./collecting-model-facts.ts";

/** What is told of an invoice's payments follows what it is for, what of them was kept, and what had come another way by then. */
export function follow(book: ModelBook, own: Invoice): void {
  const { concerns } = book;
  const { retired, currency } = own.seen;
  const told = ({ key }: Payment) => concerns.get(`payment_over_owed ${key}`)?.amount ?? 0n;
  const all = book.payments.filter(({ part }) => part.invoice === own).map((one) => ({ one, told: told(one) }));
  all.sort((a, b) => Number(b.told - a.told) || b.one.paidAt - a.one.paidAt || (a.one.id < b.one.id ? 1 : -1));
  const same = all.filter(({ one }) => one.currency === currency);
  const otherwise = same
    .map(({ one }) => one.otherwise)
    .reduce((a, b) => (a > b ? a : b), same[0]?.one.otherwise ?? 0n);
  const kept = sum(same.map(({ one }) => keptOf(one)));
  let left = retired ? kept : atLeastZero(kept + otherwise - totalOf(own));
  const parts = new Map<Payment, bigint>();
  const take = (one: Payment, limit: bigint) => {
    const before = parts.get(one) ?? 0n;
    const part = [limit - before, keptOf(one) - before, left].reduce((a, b) => (a < b ? a : b));
    left -= part;
    parts.set(one, before + part);
  };
  for (const { one, told } of same) take(one, told);
  if (!retired) for (const { one } of same) take(one, one.amount);
  for (const { one } of all) {
    tell(book, `payment_in_other_currency ${one.key}`, one.currency === currency ? 0n : keptOf(one));
    tell(book, `payment_over_owed ${one.key}`, parts.get(one) ?? 0n);
  }
}

const keptOf = ({ amount, refunded }: Payment): bigint => amount - refunded;

/** What an invoice is for, as it was read last; nothing where it is void. */
export function totalOf({ local, parts }: Invoice): bigint {
  if (local?.voided === true) return 0n;
  return sum(parts.map(({ original, seen }) => (seen.removed ? 0n : original)));
}

/** Told again where it grew; done with where nothing is left. */
function tell({ concerns }: ModelBook, name: string, amount: bigint): void {
  const concern = concerns.get(name);
  if (amount > (concern?.amount ?? 0n)) concerns.set(name, { amount, known: true, resolved: false });
  else if (concern !== undefined && amount < concern.amount)
    Object.assign(concern, { amount, resolved: concern.resolved || amount === 0n });
}

/** So much of a payment was refunded by then, less what had failed; of two in one second, the larger came last. */
export function refunded(book: ModelBook, key: string, { total, at }: { total: bigint; at: number }) {
  const { payments, concerns } = book;
  const payment = payments.find((one) => one.key === key);
  const name = `payment_refunded ${key}`;
  const { amount: told = 0n, at: before = at } = concerns.get(name) ?? {};
  const failed = [...concerns].filter(([one, concern]) => {
    const { at: failedAt = 0 } = concern;
    const isLater = failedAt > at || (failedAt === at && concern.amount <= total);
    return one.startsWith("refund_failed") && concern.key === key && isLater;
  });
  const amount = total - sum(failed.map(([, concern]) => concern.amount));
  if (amount < 0n || !(at === before ? amount > told : at > before)) return;
  if (payment !== undefined) {
    payment.refunded = amount;
    follow(book, payment.part.invoice);
  }
  concerns.set(name, { amount, known: payment !== undefined, resolved: false, at, key });
}

/** A refund came to nothing. */
export function refundFailed(
  book: ModelBook,
  key: string,
  { id, amount, at }: { id: string; amount: bigint; at: number },
): void {
  const { payments, concerns } = book;
  const payment = payments.find((one) => one.key === key);
  const name = `refund_failed ${id}`;
  const isKnown = payment !== undefined;
  if ((!isKnown && !concerns.has(`payment_in_other_currency ${key}`)) || concerns.has(name)) return;
  concerns.set(name, { amount, known: isKnown, resolved: false, at, key });
  const kept = concerns.get(`payment_refunded ${key}`);
  const { at: toldAt = 0, amount: told = 0n } = kept ?? {};
  if (kept === undefined || toldAt > at || (toldAt === at && told < amount)) return;
  const left = told > amount ? told - amount : 0n;
  if (isKnown) {
    payment.refunded = left;
    follow(book, payment.part.invoice);
  }
  Object.assign(kept, { amount: left, resolved: kept.resolved || left === 0n });
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

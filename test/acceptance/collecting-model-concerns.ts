import type { ModelBook } from "./collecting-model-book.ts";
import { type Invoice, type Payment, sum } from "./collecting-model-facts.ts";

interface Billed {
  readonly currency: string;
  readonly total: bigint;
}

/** An invoice came to be for something else: what is told of its payments follows. */
export function changedTo(book: ModelBook, own: Invoice, { before, after }: { before: Billed; after: Billed }): void {
  if (before.currency === after.currency && before.total === after.total) return;
  const { concerns } = book;
  const told = ({ key }: Payment) => concerns.get(`payment_over_owed ${key}`)?.amount ?? 0n;
  const paid = book.payments.filter(({ part }) => part.invoice === own).map((one) => ({ one, told: told(one) }));
  paid.sort((a, b) => Number(b.told - a.told) || b.one.paidAt - a.one.paidAt || (a.one.id < b.one.id ? 1 : -1));
  const payments = paid.map(({ one }) => one);
  const [overBefore, overAfter] = [excesses(before, payments), excesses(after, payments)];
  for (const { one, told } of paid) {
    const kept = one.amount - one.refunded;
    follow(book, `payment_in_other_currency ${one.key}`, one.currency === after.currency ? 0n : kept);
    const asItCame = told - (overBefore.get(one) ?? 0n) - one.refunded;
    const over = (overAfter.get(one) ?? 0n) + (asItCame > 0n ? asItCame : 0n);
    follow(book, `payment_over_owed ${one.key}`, over < kept ? over : kept);
  }
}

/** What payments in an invoice's currency are above what it is for, each up to what was kept of it. */
function excesses({ currency, total }: Billed, payments: readonly Payment[]): Map<Payment, bigint> {
  const found = new Map<Payment, bigint>();
  const own = payments.filter((one) => one.currency === currency);
  let over = sum(own.map(({ amount, refunded }) => amount - refunded)) - total;
  for (const one of own) {
    const kept = one.amount - one.refunded;
    const part = over <= 0n ? 0n : over < kept ? over : kept;
    found.set(one, part);
    over -= part;
  }
  return found;
}

/** Told again where it grew; done with where nothing is left. */
function follow({ concerns }: ModelBook, name: string, amount: bigint): void {
  const concern = concerns.get(name);
  if (amount > (concern?.amount ?? 0n)) concerns.set(name, { amount, known: true, resolved: false });
  else if (concern !== undefined && amount < concern.amount)
    Object.assign(concern, { amount, resolved: concern.resolved || amount === 0n });
}

/** So much of a payment was refunded by then, less what had failed; of two in one second, the larger came last. */
export function refunded({ payments, concerns }: ModelBook, key: string, { total, at }: { total: bigint; at: number }) {
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
  const isKnown = payment !== undefined;
  if ((!isKnown && !concerns.has(`payment_in_other_currency ${key}`)) || concerns.has(name)) return;
  concerns.set(name, { amount, known: isKnown, resolved: false, at, key });
  const kept = concerns.get(`payment_refunded ${key}`);
  const { at: toldAt = 0, amount: told = 0n } = kept ?? {};
  if (kept === undefined || toldAt > at || (toldAt === at && told < amount)) return;
  const left = told > amount ? told - amount : 0n;
  if (isKnown) payment.refunded = left;
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

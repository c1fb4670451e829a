import type { ModelBook } from "./collecting-model-book.ts";
import { type Payment, sum } from "./collecting-model-facts.ts";

const sumOf = (payments: readonly Payment[]): bigint => sum(payments.map(({ amount }) => amount));

/**
 * Whether the ERP's balance seems to hold a payment already (completions §12): since it was recorded, the balance fell by
 * its amount or more beyond what the service's own receipts explain; or the balance before it is not known, and less than
 * its amount is left beyond them. `unreadable` where the ERP has it and it cannot be read, `free` where enough is owed.
 * What the ERP does not show is held: tried again, for a day unless it was missing before, and a person's once it is retired.
 */
export function guarded(
  book: ModelBook,
  payment: Payment,
): "free" | "unreadable" | { asked: boolean; held: "never" | "again" | "always" | null } {
  const { part, amount, before, createdAt, paidAt, readAt } = payment;
  const { invoice } = part;
  const { retired, setAside } = invoice.seen;
  if (!invoice.erp.present) return { asked: false, held: retired ? "never" : setAside ? "always" : "again" };
  if (!invoice.erp.readable) return "unreadable";
  const there = invoice.parts.filter(({ erp }) => erp.present);
  const owed = part.erp.present ? part.erp.balance : there.reduce((total, { erp }) => total + erp.balance, 0n);
  const inErp = book.payments.filter(
    (one) => one.part === part && one !== payment && ["processing", "failed", "posted", "applied"].includes(one.status),
  );
  const isIncluded = ({ reflectedAt }: Payment): boolean => reflectedAt !== null && reflectedAt < createdAt;
  const others = inErp.filter((one) => !isIncluded(one));
  // What was read after the money was paid may hold it: of before that, only the service's own receipts are known.
  const isLate = paidAt < readAt;
  const known = isLate ? sumOf(inErp.filter(isIncluded)) : 0n;
  const isLess = (explained: bigint): boolean => owed + known + explained < amount;
  const isGone = (explained: bigint): boolean => before - owed - explained >= amount;
  const holds = (all: bigint, since: bigint): boolean =>
    part.erp.present ? isGone(since) || (isLate && isLess(all)) : isLess(all);
  if (!holds(0n, 0n)) return "free";
  const explaining = others.filter((one) => one.byHand || one.receipt?.applied);
  const all = sumOf(explaining);
  const earlier = part.erp.present ? tookBefore(explaining, inErp.filter(isIncluded), payment) : 0n;
  return { asked: others.some(({ byHand }) => !byHand), held: holds(all, all - earlier) ? "never" : null };
}

/**
 * What others may have taken off the balance before it was read for a payment: those begun by then, together as much as it
 * had fallen since the first of them was recorded, less what is known to have been others'.
 */
function tookBefore(
  explaining: readonly Payment[],
  included: readonly Payment[],
  { before, createdAt, readAt }: Payment,
): bigint {
  const begun = explaining
    .filter(({ byHand, first, createdAt: at }) => (byHand ? at <= createdAt : first !== null && first <= readAt))
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  const [earliest] = begun;
  if (earliest === undefined) return 0n;
  const known = included.filter(({ reflectedAt }) => (reflectedAt ?? 0) >= earliest.createdAt);
  const fell = earliest.before - before - sumOf(known);
  const most = sumOf(begun);
  return fell < 0n ? 0n : fell < most ? fell : most;
}

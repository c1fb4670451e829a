import { isDeepStrictEqual } from "node:util";
import type { ModelBook } from "./collecting-model-book.ts";
import { follow, totalOf } from "./collecting-model-concerns.ts";
import type { Invoice, Part, Payment } from "./collecting-model-facts.ts";
import { guarded } from "./collecting-model-guard.ts";

/**
 * What the ERP does to the requests of a pass: `down` cuts every one off before it took effect, `cut` the first POST,
 * `unanswered` the first POST's answer; `lost` answers the first request, and none after it though each takes effect;
 * `rejected` refuses every POST.
 */
export type PushFault = "ok" | "down" | "cut" | "unanswered" | "lost" | "rejected";

/** `receipts`: of receipts alone nothing can be read. */
export type PullFault = "ok" | "down" | "receipts";

const RETRY_MS = 15 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

type Outcome = readonly [status: Payment["status"], retry: "again" | "always" | "never"];

/** A pass of pushes (completions §7, service.md §3.3): each one due is tried once, the longest due first. */
export function modelPush(book: ModelBook, fault: PushFault): void {
  const { now } = book;
  const due = book.payments.filter(
    ({ status, retryable, next }) =>
      (status === "pending" || status === "processing" || retryable) && (next === null || next <= now),
  );
  due.sort((a, b) => (a.next ?? a.createdAt) - (b.next ?? b.createdAt) || (a.id < b.id ? -1 : 1));
  const weather = { fault, answered: 0, struck: false };
  for (const payment of due) {
    payment.first ??= now;
    const [status, retry] = attempt(book, payment, weather);
    const again = retry === "always" || (retry === "again" && now + RETRY_MS <= payment.first + DAY_MS);
    payment.status = status === "processing" && !again ? "failed" : status;
    payment.known = status !== "failed" && status !== "processing";
    payment.appliedAt = status === "applied" ? now : null;
    payment.reflected = false;
    payment.reflectedAt = null;
    payment.retryable = again;
    payment.anyway &&= again;
    payment.next = again ? now + RETRY_MS : status === "posted" || status === "applied" ? now : null;
  }
}

function attempt(
  book: ModelBook,
  payment: Payment,
  weather: { fault: PushFault; answered: number; struck: boolean },
): Outcome {
  const { fault } = weather;
  const strikes = (): boolean => {
    const first = fault === "cut" && !weather.struck;
    weather.struck ||= first;
    return first;
  };
  if (fault === "down" || (fault === "lost" && weather.answered > 0)) {
    return [payment.known ? "posted" : payment.status === "processing" ? "processing" : "failed", "again"];
  }
  weather.answered += 1;
  if (payment.receipt === null) {
    if (payment.part.invoice.seen.currency !== payment.currency) return ["failed", "never"];
    const guard = payment.anyway ? "free" : guarded(book, payment);
    if (guard === "unreadable") return ["failed", "never"];
    // Receipts that explain the balance are asked for, and one that was sent before and is held up now, once more.
    const wasSent = payment.status === "processing";
    if (fault === "lost" && guard !== "free" && (guard.asked || (guard.held !== null && wasSent)))
      return [wasSent ? "processing" : "failed", "again"];
    if (guard !== "free" && guard.held !== null) return ["failed", guard.held];
    if (fault === "rejected") return ["failed", "never"];
    if (strikes()) return ["failed", "again"];
    payment.receipt = { applied: false, reversed: false };
    if (fault === "lost") return ["processing", "again"];
  }
  const { receipt, part, amount, currency } = payment;
  if (receipt.reversed) return ["reversed", "never"];
  if (receipt.applied) return ["applied", "never"];
  if (fault === "rejected") return ["posted", "never"];
  if (strikes()) return ["posted", "again"];
  const { erp, invoice } = part;
  const isDue = invoice.erp.present && invoice.erp.complete && invoice.erp.currency === currency;
  if (isDue && erp.present && amount <= erp.balance) {
    receipt.applied = true;
    move(part, -amount);
  }
  if (fault === "lost") return ["posted", "again"];
  return receipt.applied ? ["applied", "never"] : ["posted", "never"];
}

/** An ERP's user takes a receipt's application back, or the receipt with it. */
export function undo(payment: Payment, how: "reverse" | "unapply"): void {
  const { receipt, part, amount } = payment;
  if (receipt === null) return;
  if (receipt.applied) move(part, amount);
  receipt.applied = false;
  if (how === "reverse") receipt.reversed = true;
}

/** A person has a receipt pushed once more; false where that cannot be. */
export function pushAgain(book: ModelBook, payment: Payment, anyway: boolean): boolean {
  const { status, byHand } = payment;
  const isOpen = ["failed", "reversed", "posted", "held"].includes(status) || (status === "applied" && byHand);
  const isQueuedToBeApplied = status === "posted" && payment.retryable && payment.first === null;
  if (!isOpen || isQueuedToBeApplied) return false;
  Object.assign(payment, { anyway, first: null, next: book.now });
  if (status === "posted") {
    payment.retryable = true;
    return true;
  }
  if (status === "reversed") nextRound(book, payment);
  Object.assign(payment, { status: "pending", known: false, byHand: false, retryable: false, appliedAt: null });
  Object.assign(payment, { reflected: false, reflectedAt: null });
  book.withdrawBeyondDebt();
  return true;
}

export const SETTLED_BY = "HAND-1";

/** A person says that the ERP's users entered it, as the receipt {@link SETTLED_BY}; false where that cannot be. */
export function settleByHand(book: ModelBook, payment: Payment): boolean {
  if (!["failed", "reversed", "held"].includes(payment.status)) return false;
  if (payment.status === "reversed") nextRound(book, payment);
  Object.assign(payment, { status: "applied", known: false, byHand: true, retryable: false, appliedAt: book.now });
  Object.assign(payment, { reflected: false, reflectedAt: null, next: null, anyway: false });
  book.withdrawBeyondDebt();
  return true;
}

/** The reversed receipt keeps its number: what follows it is another. */
function nextRound(book: ModelBook, payment: Payment): void {
  if (payment.receipt !== null) book.otherReceipts.push(payment.receipt);
  payment.receipt = null;
  payment.round += 1;
}

/** One of the ERP's users enters a receipt and applies it: its number; null where the ERP does not let them. */
export function enterByHand(book: ModelBook, part: Part, amount: bigint): string | null {
  const { erp, invoice } = part;
  if (!invoice.erp.present || !invoice.erp.complete || !erp.present || amount > erp.balance) return null;
  move(part, -amount);
  const number = `HAND-${book.otherReceipts.length + 1}`;
  book.otherReceipts.push({ applied: true, reversed: false, byHand: { number, currency: invoice.erp.currency } });
  return number;
}

/** The simulator settles what it has: an installment that is not there stays as it was. */
function move({ invoice, erp }: Part, amount: bigint): void {
  if (!invoice.erp.present || !erp.present) return;
  erp.balance += amount;
  erp.closed = erp.balance === 0n;
}

/** A pull from start to end, at one moment (completions §6 and §7). */
export function modelPull(book: ModelBook, fault: PullFault): void {
  if (fault === "down") return;
  const { now } = book;
  if (book.billed.some(({ erp }) => erp.present && erp.readable)) book.address.seen = book.address.erp;
  const inErp = book.payments.filter(({ known, byHand, retryable, status }) => {
    return (known || byHand) && !retryable && (status === "posted" || status === "applied");
  });
  const due = inErp.filter(({ next }) => next === null || next <= now);
  // Found before anything is read: the run that looks reads a balance with it.
  if (fault === "ok") for (const payment of due) look(book, payment, { now, foundAt: now - 1 });
  for (const payment of inDoubt(book)) {
    if (fault === "ok") look(book, payment, { now, foundAt: now });
    else Object.assign(payment, { appliedAt: null, reflected: false, reflectedAt: null, next: now });
  }
  for (const own of book.billed) {
    own.seen.setAside = own.erp.present && !own.erp.readable;
    if (own.seen.setAside) continue;
    if (own.erp.present) own.seen.email = book.address.erp;
    if (!own.erp.present && !own.seen.retired) own.seen.changedAt = own.seen.readAt;
    if (own.erp.present) Object.assign(own.seen, { readAt: now, changedAt: isNews(own) ? now : own.seen.changedAt });
    const before = { ...own.seen, total: totalOf(own) };
    own.seen.retired = !own.erp.present;
    if (!own.erp.present) continue;
    Object.assign(own.seen, { complete: own.erp.complete, currency: own.erp.currency });
    own.seen.balance = 0n;
    for (const { erp, seen } of own.parts) {
      const { present, ...facts } = erp;
      seen.removed = !present;
      if (!present) continue;
      Object.assign(seen, facts);
      own.seen.balance += erp.balance;
    }
    const isForOther = before.currency !== own.seen.currency || before.total !== totalOf(own);
    if (before.retired || isForOther) follow(book, own);
    for (const payment of book.payments) {
      const { part, status, appliedAt } = payment;
      const isRead = part.invoice === own && status === "applied" && appliedAt !== null && appliedAt < now;
      if (!isRead || payment.reflected) continue;
      payment.reflected = true;
      payment.reflectedAt = now;
    }
  }
  book.withdrawBeyondDebt();
  book.endTasks();
}

/** Whether the ERP shows an invoice otherwise than it was read last. */
function isNews({ seen, erp, parts }: Invoice): boolean {
  const isOther = ({ erp: { present, ...facts }, seen: { removed, ...read } }: Part): boolean =>
    present === removed || (present && !isDeepStrictEqual(facts, read));
  const isSame = seen.complete === erp.complete && seen.currency === erp.currency;
  return seen.retired || !isSame || parts.some(isOther);
}

/** Applied receipts whose installments owe more than the receipts applied since would leave. */
function inDoubt(book: ModelBook): Payment[] {
  return book.parts.flatMap((part) => {
    const { present, readable } = part.invoice.erp;
    if (!present || !readable || !part.erp.present) return [];
    const applied = book.payments.filter((one) => one.part === part && one.status === "applied");
    const fresh = applied.filter(({ reflected }) => !reflected).reduce((total, one) => total + one.amount, 0n);
    return part.seen.balance - fresh < part.erp.balance ? applied.filter(({ known, byHand }) => known || byHand) : [];
  });
}

function look(book: ModelBook, payment: Payment, { now, foundAt }: { now: number; foundAt: number }): void {
  const { receipt, appliedAt, byHand, status } = payment;
  // What was entered by hand is never undone here, and is the person's word where it was not entered at all.
  const state = byHand ? "applied" : receipt?.reversed ? "reversed" : receipt?.applied ? "applied" : "posted";
  payment.next = lookAgain(state, payment, now);
  payment.known ||= byHand && isEntered(book, payment);
  if (state === status && (state !== "applied" || appliedAt !== null)) return;
  payment.status = state;
  payment.appliedAt = state === "applied" ? foundAt : null;
  payment.reflected = false;
  payment.reflectedAt = null;
}

/** Whether the ERP has what a payment was settled by. */
const isEntered = ({ otherReceipts }: ModelBook, { currency }: Payment): boolean =>
  otherReceipts.some(({ byHand }) => byHand?.number === SETTLED_BY && byHand.currency === currency);

function lookAgain(state: Payment["status"], { appliedAt }: Payment, now: number): number | null {
  if (state === "reversed") return null;
  return state === "posted" || appliedAt === null ? now : Math.floor(now + (now - appliedAt) * 0.1);
}

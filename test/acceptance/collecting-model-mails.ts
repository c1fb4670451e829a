import { isInOther, type ModelBook } from "./collecting-model-book.ts";
import type { Invoice, Link } from "./collecting-model-facts.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const NINE = 9 * HOUR;

/** When the workflow mails next, at nine. */
export const nextNine = (now: number): number => (Math.floor((now - NINE) / DAY) + 1) * DAY + NINE;

/** The billing email of an invoice: the workspace's own, else that it was last read with, else the customer's. */
export const mailedTo = ({ address }: ModelBook, { seen }: Invoice): string =>
  address.own ?? seen.email ?? address.seen;

/** Whether a link may be mailed now. */
function isAskable(book: ModelBook, link: Link): boolean {
  const { state, paid, part, amount } = link;
  const isDue = state === "active" && !paid && book.reason(part) === null;
  return isDue && !isInOther(link) && amount <= book.outstanding(part);
}

/**
 * Those of ended links are cancelled. What could not be mailed when it was due goes out once it can be, and failed ones where
 * their customer has another address by now (completions §12).
 */
export function settleEmails(book: ModelBook): void {
  for (const link of book.links) {
    const { email, state } = link;
    if (email === null) continue;
    if (state !== "active" && email.status === "scheduled") email.status = "cancelled";
    if (email.status === "cancelled" && email.waits) mailAgain(book, link);
    if (email.status === "failed" && email.to !== mailedTo(book, link.part.invoice)) mailAgain(book, link);
  }
}

/** Schedules a failed email for the next sending time; false where its link may not be mailed. */
export function mailAgain(book: ModelBook, link: Link): boolean {
  if (link.email === null || !isAskable(book, link)) return false;
  Object.assign(link.email, { status: "scheduled", sendAt: nextNine(book.now), waits: false });
  return true;
}

/** A pass of mails: all that is due to an address goes out in one message, unless it was sent one today (completions §7). */
export function mail(book: ModelBook, outcome: "sent" | "failed"): void {
  const { now } = book;
  const today = Math.floor(now / DAY);
  const sentToday = book.links.flatMap(({ email }) => {
    return email?.status === "sent" && Math.floor((email.sentAt ?? 0) / DAY) === today ? [email.to] : [];
  });
  for (const link of book.links) {
    const { email } = link;
    if (email?.status !== "scheduled" || email.sendAt > now) continue;
    const to = mailedTo(book, link.part.invoice);
    if (sentToday.includes(to)) email.sendAt = (today + 1) * DAY + NINE;
    else if (!isAskable(book, link)) Object.assign(email, { status: "cancelled", waits: true });
    else Object.assign(email, { status: outcome, to, sentAt: outcome === "sent" ? now : null });
  }
}

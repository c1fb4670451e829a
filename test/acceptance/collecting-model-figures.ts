import type { ModelBook } from "./collecting-model-book.ts";
import { type Invoice, sum } from "./collecting-model-facts.ts";

const SEVERITY = ["failed", "reversed", "pending", "processing", "posted", "applied"] as const;

/** What is shown of an invoice (completions §6). */
export function figuresOf(book: ModelBook, own: Invoice) {
  const payments = book.payments.filter((one) => one.part.invoice === own);
  const outstanding = sum(own.parts.filter(({ seen }) => !seen.removed).map((part) => book.outstanding(part)));
  const collected = sum(payments.filter((one) => one.currency === own.seen.currency).map((one) => one.amount));
  const collectible = own.parts.filter((part) => book.reason(part) === null);
  const status =
    collected > 0n && outstanding === 0n
      ? ("paid" as const)
      : collectible.length > 0
        ? ("open" as const)
        : ("inactive" as const);
  const states = new Set(payments.map((one) => (one.status === "held" ? "pending" : one.status)));
  return {
    status,
    outstanding,
    collected,
    dueDate: collectible.map((part) => part.dueDate).sort()[0] ?? null,
    pushState: SEVERITY.find((state) => states.has(state)) ?? null,
    held: payments.some((one) => one.status === "held"),
    activeLink: book.links.some((link) => link.part.invoice === own && link.state === "active"),
    balance: own.seen.balance,
    local: own.local,
  };
}

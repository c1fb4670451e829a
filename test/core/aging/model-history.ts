import { businessDay, type ModelBook } from "./model-book.ts";

/** The same calendar day two years before. */
function twoYearsBefore(day: string): string {
  const before = `${Number(day.slice(0, 4)) - 2}${day.slice(4)}`;
  return before.endsWith("-02-29") && Number(before.slice(0, 4)) % 4 !== 0 ? before.replace("-29", "-28") : before;
}

/** A sum over a count, rounded to some digits, halves away from zero. */
function mean(total: number, count: number, digits: number): number {
  const scaled = (2 * Math.abs(total) * 10 ** digits + count) / (2 * count);
  return total === 0 ? 0 : (Math.sign(total) * Math.floor(scaled)) / 10 ** digits;
}

/** How the customer of a key paid in the last two years (completions §10). */
export function historyOf(book: ModelBook, key: string) {
  const own = new Set(
    book.invoices
      .filter((invoice) => (invoice.customer_id ?? `unassigned:${invoice.invoice_id}`) === key)
      .map((invoice) => invoice.invoice_id),
  );
  const since = twoYearsBefore(businessDay(book));
  const late = book.installments
    .filter((part) => own.has(part.invoice_id) && part.closed && part.removed_at === null)
    .filter((part) => part.due_date !== null && part.closed_on !== null && part.closed_on >= since)
    .map((part) => Math.round((Date.parse(part.closed_on ?? "") - Date.parse(part.due_date ?? "")) / 86_400_000))
    .sort((a, b) => a - b);
  const count = late.length;
  if (count === 0)
    return { paid_installments: 0, median_days_late: null, average_days_late: null, on_time_share: null };
  const [low = 0, high = 0] = [late[Math.floor((count - 1) / 2)], late[Math.floor(count / 2)]];
  return {
    paid_installments: count,
    median_days_late: (low + high) / 2,
    average_days_late: mean(
      late.reduce((sum, days) => sum + days, 0),
      count,
      1,
    ),
    on_time_share: mean(late.filter((days) => days <= 0).length, count, 2),
  };
}

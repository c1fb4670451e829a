import type { Frame } from "playwright-core";
import { z } from "zod";
import { BUCKETS } from "../../../src/core/aging/buckets.ts";
import { formatMoney, fromMinor } from "../../../src/core/kernel/money.ts";

const Money = z.string().nullable();
const Answer = z.looseObject({
  totals: z.array(z.record(z.string(), z.unknown())).optional(),
  data: z.array(z.record(z.string(), z.unknown())).optional(),
});

type Row = Readonly<Record<string, unknown>>;

const amountIn = (row: Row, field: string): string => {
  const currency = Money.parse(row.currency ?? null);
  return `${Money.parse(row[field])}${currency === null ? "" : ` ${currency}`}`;
};

const minorIn = (row: Row, field: string): string => {
  const currency = String(row.currency);
  const amount = fromMinor(BigInt(String(row[field])), currency);
  if (amount === undefined) throw new Error(`unknown currency ${currency}`);
  return `${formatMoney(amount, currency)} ${currency}`;
};

/** The amounts of a row, as a view shows them from top to bottom; that nothing is overdue is said of totals only. */
function amountsOf(row: Row, isTotal = false): string[] {
  const overdueOf = (field: string): string[] =>
    isTotal || !/^0*(\.0*)?$/.test(String(row[field])) ? [amountIn(row, field)] : [];
  if ("url" in row) return [minorIn(row, "amount_minor")];
  if ("collection_outstanding" in row)
    return [amountIn(row, "collection_outstanding"), ...overdueOf("overdue_outstanding")];
  if ("overdue" in row) return [amountIn(row, "outstanding"), ...overdueOf("overdue")];
  const refunded = Number(row.refunded_minor ?? 0) > 0 ? [minorIn(row, "refunded_minor")] : [];
  return "amount" in row ? [amountIn(row, "amount"), ...refunded] : [];
}

/** Every amount that a view is to show of structured content, letter for letter, in its order. */
export function amountsIn(structuredContent: unknown): string[] {
  const { totals = [], data, ...rest } = Answer.parse(structuredContent);
  const sums = totals.flatMap((total) => [
    ...amountsOf(total, true),
    ...("current" in total ? BUCKETS.map((bucket) => String(total[bucket])) : []),
  ]);
  return [...sums, ...(data ?? [rest]).flatMap((row) => amountsOf(row))];
}

/** The amounts that a view shows. */
export async function amountsShown(frame: Frame): Promise<string[]> {
  return z
    .array(z.string())
    .parse(await frame.evaluate(`[...document.querySelectorAll(".amount")].map((one) => one.textContent)`));
}

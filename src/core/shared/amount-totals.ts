import { z } from "zod";
import { formatStored } from "./money.ts";
import { MoneyString } from "./wire-types.ts";

/** All matching rows of a currency (completions §10). */
export const AmountTotal = z.strictObject({
  currency: z.string().describe("ISO 4217 code"),
  count: z.int(),
  amount: MoneyString,
});

/** The same from the store, as callers see it. */
export function amountTotalOnWire(
  row: Record<keyof z.output<typeof AmountTotal>, string>,
): z.output<typeof AmountTotal> {
  return { currency: row.currency, count: Number(row.count), amount: formatStored(row.amount, row.currency) };
}

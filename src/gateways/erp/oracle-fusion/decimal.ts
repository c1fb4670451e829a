import { Decimal } from "decimal.js";

// Room enough for any sum of amounts within the bounds below: decimal.js rounds to its precision when it adds.
const Exact = Decimal.clone({ precision: 200 });

/** What is plain already, and within the bounds below. */
const PLAIN = /^(?:0|-?(?:[1-9]\d{0,29}(?:\.\d{0,19}[1-9])?|0\.\d{0,19}[1-9]))$/;
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
const MAX_LENGTH = 80;
const MAX_WHOLE_DIGITS = 30;
const MAX_FRACTION_DIGITS = 20;

/**
 * A number as JSON writes it (`1250.50`, `1E+2`, `-0`) as a plain decimal without needless zeros (`1250.5`, `100`, `0`).
 * Undefined when it is no such number, or longer than any amount of money is.
 */
export function plainDecimal(text: string): string | undefined {
  if (PLAIN.test(text)) return text;
  if (text.length > MAX_LENGTH || !NUMBER.test(text)) return undefined;
  const value = new Exact(text);
  if (value.isZero()) return "0";
  if (value.decimalPlaces() > MAX_FRACTION_DIGITS || value.e >= MAX_WHOLE_DIGITS) return undefined;
  return value.toFixed();
}

/** The exact sum of plain decimals. */
export function sumOf(amounts: readonly string[]): string {
  if (amounts.length === 1 && amounts[0] !== undefined) return amounts[0];
  const sum = amounts.reduce((total, amount) => total.plus(amount), new Exact(0));
  return sum.isZero() ? "0" : sum.toFixed();
}

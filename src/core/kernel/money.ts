import { Decimal } from "decimal.js";
import { minorDigits } from "./currencies.ts";

/** Wide enough that no sum of receivables is ever rounded. */
const Exact = Decimal.clone({ precision: 80, toExpNeg: -80, toExpPos: 80 });

/** An exact decimal amount in major units. Never a JavaScript number. */
export type Money = Decimal;

/** The wire form of an amount (service.md §2): optional minus, digits, optional fractional digits. */
export const MONEY_PATTERN = /^-?[0-9]+(\.[0-9]+)?$/;

/** Of an amount from a caller, in characters; PostgreSQL takes no more than 16,383 decimals. */
export const MONEY_LENGTH = 50;

export const ZERO: Money = new Exact(0);

/** How many minor units one major unit is; written out, which costs a fifth of raising ten to a power. */
const minorPerMajor = (digits: number) => new Exact(`1e${digits}`);

/** Reads an exact decimal string. Throws RangeError on anything else, so a float can never slip in. */
export function money(text: string) {
  if (!MONEY_PATTERN.test(text)) throw new RangeError("not an exact decimal amount");
  return new Exact(text);
}

export function sum(amounts: Iterable<Money>) {
  let total = ZERO;
  for (const amount of amounts) total = total.plus(amount);
  return total;
}

/** `amount`, or zero where it is negative. */
export function atLeastZero(amount: Money) {
  return amount.isNegative() ? ZERO : amount;
}

/**
 * Wire form of an amount: all its significant digits, at least as many decimals as the currency's minor unit
 * ("1250.50" for USD, "1250" for JPY). An unknown or missing currency adds none.
 */
export function formatMoney(amount: Money, currency: string | null) {
  const digits = currency === null ? 0 : (minorDigits(currency) ?? 0);
  return amount.isZero() ? ZERO.toFixed(digits) : amount.toFixed(Math.max(digits, amount.decimalPlaces()));
}

/** As the store writes amounts: the digits are those of the wire, but for zeros at the end. */
const STORED = /^(-?(?:0|[1-9]\d*))(?:\.(?=\d)(\d*?)0*)?$/;

/** Wire form of a stored amount, as {@link formatMoney} has it; null stays null. */
export function formatStored(text: string, currency: string | null): string;
export function formatStored(text: string | null, currency: string | null): string | null;
export function formatStored(text: string | null, currency: string | null) {
  if (text === null) return null;
  const [stored, whole, fraction = ""] = STORED.exec(text) ?? [];
  if (stored === undefined || whole === "-0") return formatMoney(money(text), currency);
  const digits = currency === null ? 0 : (minorDigits(currency) ?? 0);
  return fraction === "" && digits === 0 ? `${whole}` : `${whole}.${fraction.padEnd(digits, "0")}`;
}

/**
 * The amount in minor units, what is finer rounded down (completions §9).
 * Undefined when the currency is unknown to ISO 4217.
 */
export function toMinor(amount: Money, currency: string) {
  const digits = minorDigits(currency);
  if (digits === undefined) return undefined;
  return BigInt(amount.times(minorPerMajor(digits)).floor().toFixed(0));
}

/** Wire form of an integer in minor units, as the store writes it. @throws Error for a currency unknown to ISO 4217. */
export function formatMinor(minor: string, currency: string) {
  const amount = fromMinor(BigInt(minor), currency);
  if (amount === undefined) throw new Error(`${currency} has no minor unit`);
  return formatMoney(amount, currency);
}

/** The amount in major units of an integer in minor units; undefined when the currency is unknown. */
export function fromMinor(minor: bigint, currency: string) {
  const digits = minorDigits(currency);
  if (digits === undefined) return undefined;
  return new Exact(minor.toString()).div(minorPerMajor(digits));
}

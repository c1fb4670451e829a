import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  formatMoney,
  formatStored,
  fromMinor,
  MONEY_PATTERN,
  money,
  sum,
  toMinor,
} from "../../src/core/kernel/money.ts";

/** Exact decimals as text: up to 15 digits before the point and 4 after. */
const amounts = fc
  .tuple(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.integer({ min: 0, max: 4 }))
  .map(([units, scale]) => ({ units, scale, text: decimalText(units, scale) }));

function decimalText(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
  const sign = units < 0n ? "-" : "";
  return scale === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

describe("money", () => {
  it("adds exactly, whatever the scales [service.1.money]", () => {
    fc.assert(
      fc.property(fc.array(amounts, { maxLength: 30 }), (list) => {
        const exact = list.reduce((total, { units, scale }) => total + units * 10n ** BigInt(4 - scale), 0n);
        const total = sum(list.map(({ text }) => money(text)));
        expect(total.times(10_000).toFixed(0)).toBe(exact.toString());
      }),
    );
  });

  it("is written as an exact decimal string that reads back the same [service.2.money-form]", () => {
    fc.assert(
      fc.property(amounts, fc.constantFrom("USD", "JPY", "KWD", null), ({ text }, currency) => {
        const written = formatMoney(money(text), currency);
        expect(written).toMatch(MONEY_PATTERN);
        expect(money(written).eq(money(text))).toBe(true);
      }),
    );
  });

  it("is written the same straight from the store [service.2.money-form]", () => {
    const zeros = fc.constantFrom("", "0", "00", "0000");
    const strange = fc.constantFrom("0", "-0", "0.00", "-0.00", "007", "-0.50", "100", "1000.000");
    const stored = fc.oneof(
      strange,
      fc.tuple(amounts, zeros).map(([{ text }, more]) => (text.includes(".") ? `${text}${more}` : text)),
    );
    fc.assert(
      fc.property(stored, fc.constantFrom("USD", "JPY", "KWD", "XXX", null), (text, currency) => {
        expect(formatStored(text, currency)).toBe(formatMoney(money(text), currency));
      }),
    );
    for (const text of ["", "1.", ".5", "1e3", "1,5", "+1", " 1", "1.5.0"])
      expect(() => formatStored(text, "USD")).toThrow(RangeError);
  });

  it.each([
    ["1250.5", "USD", "1250.50"],
    ["1250.50", "USD", "1250.50"],
    ["1250.5000", "USD", "1250.50"],
    ["0.0375", "USD", "0.0375"],
    ["1250", "JPY", "1250"],
    ["3.1", "KWD", "3.100"],
    ["-0", "USD", "0.00"],
    ["99999999999999999999.99", "EUR", "99999999999999999999.99"],
    ["7.1", null, "7.1"],
    ["7.1", "XXY", "7.1"],
  ])("writes %s %s as %s", (text, currency, written) => {
    expect(formatMoney(money(text), currency)).toBe(written);
  });

  it.each(["", "1e3", "1.", ".5", "+1", "NaN", "Infinity", "1,000", " 1", "0x1"])("refuses %j", (text) => {
    expect(() => money(text)).toThrow(RangeError);
  });

  it.each([
    ["12.34", "USD", 1234n],
    ["12", "JPY", 12n],
    ["1.234", "KWD", 1234n],
  ])("has %s %s in minor units as %s [completions.5.minor-units]", (text, currency, minor) => {
    expect(toMinor(money(text), currency)).toBe(minor);
    expect(fromMinor(minor, currency)?.eq(money(text))).toBe(true);
  });

  it("rounds what is finer than the minor unit down [completions.9.rounded-down]", () => {
    expect(toMinor(money("12.3499"), "USD")).toBe(1234n);
    expect(toMinor(money("0.009"), "USD")).toBe(0n);
    expect(toMinor(money("0.9"), "JPY")).toBe(0n);
  });

  it("has no minor unit for a currency ISO 4217 does not know", () => {
    expect(toMinor(money("1"), "XXY")).toBeUndefined();
    expect(fromMinor(1n, "XXY")).toBeUndefined();
  });
});

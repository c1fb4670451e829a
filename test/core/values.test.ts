import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { businessDate, canonicalTimezone, isPlainDate } from "../../src/core/kernel/calendar.ts";
import {
  formatMoney,
  formatStored,
  fromMinor,
  MONEY_PATTERN,
  money,
  sum,
  toMinor,
} from "../../src/core/kernel/money.ts";
import { cleanText, foldText } from "../../src/core/kernel/text.ts";
import { plainLine } from "../../src/gateways/outside-error.ts";

describe("text from outside", () => {
  it.each([
    ["plain", "plain"],
    ["  trimmed\u0000 ", "trimmed"],
    ["two\r\nlines", "two lines"],
    ["bidi \u202Eevil\u202C", "bidi evil"],
    ["zero\u200Bwidth\uFEFF", "zerowidth"],
    ["tags\u{E0041}\u{E0042}", "tags"],
    ["hidden\u{E0101}\uFE0F\u034F in\u3164\u115F selectors", "hidden in selectors"],
    ["iso\u2066lated\u2069 by\u061C direction", "isolated by direction"],
    ["next\u0085line\u2028and\u2029paragraph", "nextlineandparagraph"],
    ["lone \uD800 surrogate", "lone \uFFFD surrogate"],
    ["株式会社 Ünïcode <b>", "株式会社 Ünïcode <b>"],
    ["\u200B \u202E", null],
    ["e\u0301", "é"],
    ["", null],
    [null, null],
  ])("%j becomes %j", (text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });

  it("is not searched without an end for what can be seen [facts.inputs.bounded]", () => {
    expect(cleanText(`${"\u00AD".repeat(31)}x`, 2)).toBe("x");
    expect(cleanText(`${"\u00AD".repeat(32)}x`, 2)).toBeNull();
    expect(plainLine("\u00ADa".repeat(1_000_000))).toHaveLength(8_191);
  });

  it("has 30 marks in a row, as composing takes time by their square [facts.inputs.bounded]", () => {
    expect(cleanText(`a${"\u0301".repeat(6_000)}b`)).toBe(`á${"\u0301".repeat(29)}b`);
  });

  it("is clean once for all, also where it is cut [facts.inputs.bounded]", () => {
    const unlike = Array.from({ length: 0x11_0000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((sign) => /[\p{M}\p{Z}\p{Cc}\p{Cf}]/u.test(sign) || sign.normalize("NFC") !== sign)
      .filter((sign) => {
        const texts = [`a${sign.repeat(2)} b`, `a${sign.repeat(31)}`].map((text) => cleanText(text, 3));
        return texts.some((text) => cleanText(text, 3) !== text);
      });
    expect(unlike).toEqual([]);
    const once = cleanText(`a${"\u0344".repeat(20)}b`);
    expect(cleanText(once)).toBe(once);
  });

  it("is folded to 4 times its length, where signs stand for whole sentences [facts.inputs.bounded]", () => {
    expect(foldText("\uFDFA".repeat(400))).toHaveLength(1_632);
    expect(foldText("ᾧ".repeat(400))).toBe(foldText("ᾧ".repeat(400).normalize("NFKD")));
  });

  it("is cut at a whole character", () => {
    expect(cleanText("😀😀😀", 2)).toBe("😀😀");
  });

  it("is found whatever its case, and in part [service.4.10.search]", () => {
    expect(foldText("STRASSE")).toBe(foldText("Straße"));
    expect(foldText("ΟΔΥΣΣΕΥΣ ΑΕ")).toContain(foldText("ΟΔΥΣ"));
    expect(foldText("Οδυσσεύς")).toBe(foldText("ΟΔΥΣΣΕΎΣ"));
    expect(foldText("ÉCLAIR")).toBe(foldText("e\u0301clair"));
  });

  it.each([
    ["İstanbul", "istanbul"],
    ["ISPARTA ı", "ısparta I"],
    ["I\u0323\u0307", "ị"],
    ["STRAẞE", "strasse"],
    ["ＡＢＣ－１", "abc-1"],
    ["№ 9", "no 9"],
    ["ﬁn\u00A0ῼ", "FIN ωι"],
  ])("%j is folded as %j is [completions.10.folding]", (one, other) => {
    expect(foldText(one)).toBe(foldText(other));
  });

  it("folds every letter as its other cases and forms, and once for all [completions.10.folding]", () => {
    const unlike = Array.from({ length: 0x11_0000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((letter) =>
        [letter.toUpperCase(), letter.toLowerCase(), letter.normalize("NFKD")].some((form) => form !== letter),
      )
      .filter((letter) => {
        const folded = foldText(letter);
        const forms = [
          letter.toUpperCase(),
          letter.toLowerCase(),
          letter.normalize("NFD"),
          letter.normalize("NFKC"),
          folded,
        ];
        return forms.some((form) => foldText(form) !== folded);
      });
    expect(unlike).toEqual([]);
  });
});

describe("the business day", () => {
  it.each([
    ["2026-03-10T03:59:59.999Z", "America/New_York", "2026-03-09"],
    ["2026-03-10T04:00:00.000Z", "America/New_York", "2026-03-10"],
    // The spring change: the offset is an hour less from 8 March on.
    ["2026-03-08T04:59:59.999Z", "America/New_York", "2026-03-07"],
    ["2026-03-08T05:00:00.000Z", "America/New_York", "2026-03-08"],
    ["2026-03-09T03:59:59.999Z", "America/New_York", "2026-03-08"],
    ["2026-03-09T18:14:59.999Z", "Asia/Kathmandu", "2026-03-09"],
    ["2026-03-09T18:15:00.000Z", "Asia/Kathmandu", "2026-03-10"],
    ["2026-03-10T10:00:00.000Z", "Pacific/Kiritimati", "2026-03-11"],
    // Samoa left out 30 December 2011.
    ["2011-12-30T09:59:59.999Z", "Pacific/Apia", "2011-12-29"],
    ["2011-12-30T10:00:00.000Z", "Pacific/Apia", "2011-12-31"],
  ])("at %s in %s is %s", (instant, timezone, date) => {
    expect(businessDate(new Date(instant), timezone)).toBe(date);
  });

  it("knows time zones by name only, and calls them as IANA does [contract.admin.workspace.timezone]", () => {
    const own = ["UTC", "Europe/Zurich", "America/Argentina/Buenos_Aires", "Asia/Kolkata", "America/Port-au-Prince"];
    for (const name of own) {
      expect(canonicalTimezone(name)).toBe(name);
      expect(canonicalTimezone(name.toLowerCase())).toBe(name);
    }
    expect(["us/eastern", "ASIA/CALCUTTA", "europe/kiev"].map(canonicalTimezone)).toEqual([
      ...["America/New_York", "Asia/Kolkata", "Europe/Kyiv"],
    ]);
    expect(["", "Mars/Olympus", "+02:00", "Europe/Zürich"].map(canonicalTimezone)).toEqual(Array(4).fill(null));
  });

  it("knows which dates exist", () => {
    expect(["2024-02-29", "2026-12-31"].every(isPlainDate)).toBe(true);
    expect(["2026-02-29", "2026-13-01", "2026-1-01", "2026-01-01T00:00:00Z", ""].some(isPlainDate)).toBe(false);
  });
});

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

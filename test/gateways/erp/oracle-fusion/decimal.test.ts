import fc from "fast-check";
import { expect, test } from "vitest";
import { parseLossless } from "../../../../src/gateways/erp/lossless-json.ts";
import { plainDecimal, sumOf } from "../../../../src/gateways/erp/oracle-fusion/schema.ts";
import { scaled, written } from "../support.ts";

/** The same number in millionths: what two decimals are compared by. */
function millionths(decimal: string): bigint {
  const [whole = "", fraction = ""] = decimal.replace("-", "").split(".");
  return BigInt(whole + fraction.padEnd(6, "0")) * (decimal.startsWith("-") ? -1n : 1n);
}

test("a plain decimal has the value of what it was made of, and one spelling", () => {
  fc.assert(
    fc.property(scaled, (number) => {
      const plain = plainDecimal(written(number));
      expect(plain).toMatch(/^(?:0|-?(?:0\.\d*[1-9]|[1-9]\d*(?:\.\d*[1-9])?))$/);
      expect(millionths(plain ?? "")).toBe(millionths(written(number)));
      expect(plainDecimal(plain ?? "")).toBe(plain);
    }),
  );
});

test("an exponent only moves the point", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
      fc.nat(6),
      fc.constantFrom("e", "E"),
      (units, digits, e) => {
        expect(plainDecimal(`${units}${e}-${digits}`)).toBe(plainDecimal(written({ units, digits })));
        expect(plainDecimal(`${units}${e}+${digits}`)).toBe(plainDecimal(String(units * 10n ** BigInt(digits))));
      },
    ),
  );
});

test("sums are exact", () => {
  fc.assert(
    fc.property(fc.array(scaled), (numbers) => {
      const sum = sumOf(numbers.map((number) => plainDecimal(written(number)) ?? ""));
      expect(millionths(sum)).toBe(numbers.reduce((total, number) => total + millionths(written(number)), 0n));
    }),
  );
});

test.each([
  "",
  " 1",
  "1 ",
  "+1",
  ".5",
  "5.",
  "1,5",
  "1_000",
  "0x10",
  "NaN",
  "Infinity",
  "1e",
  "1e9999",
  "1e31",
  "1e-21",
  "--1",
  "１",
])("%j is no amount", (text) => {
  expect(plainDecimal(text)).toBeUndefined();
});

test("any text is a number or refused, never an error", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-+.\deE]*$/)), (text) => {
      expect(plainDecimal(text) ?? "0").toMatch(/^-?\d+(?:\.\d+)?$/);
    }),
  );
});

test("JSON numbers arrive with the digits they were sent with, wherever they stand", () => {
  fc.assert(
    fc.property(fc.array(scaled), fc.jsonValue({ noUnicodeString: false }), (numbers, other) => {
      const digits = numbers.map(written);
      const text = `{"numbers":[${digits.join(",")}],"deep":{"one":${digits[0] ?? "0"}},"other":${JSON.stringify(other)}}`;
      expect(parseLossless(text, (source) => source)).toMatchObject({
        numbers: digits,
        deep: { one: digits[0] ?? "0" },
      });
      expect(parseLossless(JSON.stringify(other), Number)).toEqual(JSON.parse(JSON.stringify(other)));
    }),
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { receiptNumberOf } from "../../../src/gateways/erp/receipt-number.ts";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** Two bits of the first digit are never used. */
const NUMBER = /^P(?:AY|0[2-9]|[1-9]\d)-([0-7][0-9A-HJKMNP-TV-Z]{25})$/;

/** The payment that a receipt number was made of; undefined when it was not made by one of the two. */
function paymentIdOf(receiptNumber: string): string | undefined {
  const digits = NUMBER.exec(receiptNumber)?.[1];
  if (digits === undefined) return undefined;
  const bits = [...digits].reduce((value, digit) => (value << 5n) | BigInt(ALPHABET.indexOf(digit)), 0n);
  return bits
    .toString(16)
    .padStart(32, "0")
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

const uuid = fc.uuid({ version: [1, 4, 7] });

test("the number of a payment never changes", () => {
  expect(receiptNumberOf("0198a3c4-5d6e-7f80-9123-456789abcdef")).toBe("PAY-01K2HW8QBEFY0928T5CY4TQKFF");
  expect(receiptNumberOf("00000000-0000-0000-0000-000000000000")).toBe("PAY-00000000000000000000000000");
  expect(receiptNumberOf("ffffffff-ffff-ffff-ffff-ffffffffffff")).toBe("PAY-7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
});

test("it is 30 characters at most, plain ones, and leads back to the payment [completions.7.receipt-number]", () => {
  fc.assert(
    fc.property(uuid, (paymentId) => {
      const number = receiptNumberOf(paymentId);
      expect(number).toMatch(/^PAY-[0-9A-Z]{26}$/);
      expect(paymentIdOf(number)).toBe(paymentId);
    }),
    { numRuns: 2_000 },
  );
});

test("two payments never share one, one payment never has two", () => {
  fc.assert(
    fc.property(uuid, uuid, (one, other) => {
      expect(receiptNumberOf(one) === receiptNumberOf(other)).toBe(one === other);
      expect(receiptNumberOf(one.toUpperCase())).toBe(receiptNumberOf(one));
    }),
    { numRuns: 500 },
  );
});

test.each(["", "1", "0198a3c45d6e7f809123456789abcdef", "0198a3c4-5d6e-7f80-9123-456789abcdeg", " "])(
  "%j is no payment's id, and is not repeated",
  (text) => {
    expect(() => receiptNumberOf(text)).toThrow(new RangeError("not a payment's id"));
  },
);

test("each round has a number of its own, of 30 characters, that leads back to the payment [completions.12.retry-round]", () => {
  fc.assert(
    fc.property(uuid, fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 99 }), (paymentId, one, other) => {
      const number = receiptNumberOf(paymentId, one);
      expect(number).toMatch(/^P(?:AY|\d\d)-[0-9A-Z]{26}$/);
      expect(paymentIdOf(number)).toBe(paymentId);
      expect(number === receiptNumberOf(paymentId, other)).toBe(one === other);
    }),
  );
  const paymentId = "0198a3c4-5d6e-7f80-9123-456789abcdef";
  expect(receiptNumberOf(paymentId, 1)).toBe(receiptNumberOf(paymentId));
  expect(receiptNumberOf(paymentId, 2)).toBe("P02-01K2HW8QBEFY0928T5CY4TQKFF");
  for (const round of [0, -1, 1.5, 100]) expect(() => receiptNumberOf(paymentId, round)).toThrow(RangeError);
  for (const number of ["P00-", "P01-", "P1-", "PXX-"])
    expect(paymentIdOf(`${number}01K2HW8QBEFY0928T5CY4TQKFF`)).toBeUndefined();
});

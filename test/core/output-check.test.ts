import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { listInvoices } from "../../src/core/invoices/list-invoices.ts";
import { outputCheck, testOf } from "../../src/core/output-check.ts";
import { CurrencyCode, Instant, MoneyString, PlainDate, Uuid } from "../../src/core/validation.ts";
import { type RestOperation, ROUTES } from "../../src/rest/routes.ts";
import { times } from "../support/thorough.ts";

const operations = ROUTES.map(({ operation }) => operation);
const example = (operation: RestOperation): unknown => operation.example?.answer;

/** What else may stand where something stands. */
const anything = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(undefined, Number.NaN, 1.5, -1, 2 ** 60, "", "ABC", "12.", "-0.50", "2026-02-30", "2026-02-28"),
  fc.constantFrom("2026-03-10T15:00:00Z", "2026-03-10T15:00:00+25:00", "018F5B1E-7C1A-4D3E-9B52-6A0C4F8D2E11"),
);

/** The same with one thing in it replaced, left out or added, wherever `path` leads. */
function changed(value: unknown, path: readonly number[], other: unknown): unknown {
  const [step = 0, ...rest] = path;
  if (path.length === 0 || typeof value !== "object" || value === null) return other;
  if (Array.isArray(value)) {
    return value.length === 0
      ? [other]
      : value.with(step % value.length, changed(value[step % value.length], rest, other));
  }
  const entries: [string, unknown][] = Object.entries(value);
  const place = step % (entries.length + 1);
  const entry = entries[place];
  if (entry === undefined) return { ...value, unheard_of: other };
  return Object.fromEntries(entries.with(place, [entry[0], changed(entry[1], rest, other)]));
}

describe("the check of what operations answer", () => {
  it.each(operations.map((operation) => ({ id: operation.id, operation })))(
    "knows all that $id may answer",
    ({ operation }) => {
      const answer = example(operation);
      expect(operation.output.parse(answer)).toEqual(answer);
      expect(testOf(operation.output)(answer)).toBe(true);
    },
  );

  it("lets nothing through that the schema would refuse or change", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...operations),
        fc.array(fc.nat(40), { maxLength: 5 }),
        anything,
        (operation, path, other) => {
          const answer = changed(example(operation), path, other);
          if (!testOf(operation.output)(answer)) return;
          expect(operation.output.parse(answer)).toEqual(answer);
        },
      ),
      { numRuns: times(3_000, 30_000) },
    );
  });

  it.each([
    { name: "Uuid", schema: Uuid },
    { name: "Instant", schema: Instant },
    { name: "PlainDate", schema: PlainDate },
    { name: "MoneyString", schema: MoneyString },
    { name: "CurrencyCode", schema: CurrencyCode },
    { name: "a range", schema: z.int().min(1).max(3) },
    { name: "more than", schema: z.int().gt(1) },
    { name: "a refined object", schema: z.strictObject({ a: z.string().optional() }).refine(() => false) },
    { name: "an open object", schema: z.object({ a: z.string() }) },
    { name: "a global pattern", schema: z.string().regex(/a/g) },
    { name: "a trimmed text", schema: z.string().trim() },
    { name: "a default", schema: z.string().default("x") },
  ])("says of $name what the schema says, or no", ({ schema }) => {
    const values = [1, 2, 3, 4, 0, "a", " a ", {}, { a: "a" }, { a: "a", b: 1 }, undefined, null];
    fc.assert(
      fc.property(fc.oneof(anything, fc.constantFrom(...values)), (value) => {
        if (!testOf(schema)(value)) return;
        expect(schema.parse(value)).toEqual(value);
      }),
    );
  });

  it.each([
    { pattern: /^[ab]{3}$/, unit: ["a", "b"] },
    { pattern: /^[ab]{2}?$/, unit: ["a", "b"] },
    { pattern: /^[a{2}]{2}$/, unit: ["a", "{", "2", "}"] },
    { pattern: /^\[ab]{2}$/, unit: ["[ab", "a", "b", "]"] },
    { pattern: /^[\d{2}]$/, unit: ["1", "{", "2", "}"] },
  ])("finds with $pattern what it finds", ({ pattern, unit }) => {
    const test = testOf(z.string().regex(pattern));
    const texts = unit.flatMap((a) =>
      unit.flatMap((b) => ["", ...unit].flatMap((c) => ["", ...unit].map((d) => a + b + c + d))),
    );
    const all = ["", ...unit, ...texts];
    expect(all.filter((text) => test(text))).toEqual(all.filter((text) => pattern.test(text)));
    expect(all.some((text) => pattern.test(text))).toBe(true);
  });

  it("hands what fits on as it is, and refuses the rest in the schema's words", () => {
    const answer = listInvoices.output.parse(example(listInvoices));
    const check = outputCheck(listInvoices.output);
    expect(check(answer)).toBe(answer);
    const wrong = { ...answer, pagination: { ...answer.pagination, limit: 0.5 } };
    expect(() => check(wrong)).toThrow(/limit/);
  });
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { matcher } from "../../../../src/simulators/fusion/query-match.ts";
import {
  type Condition,
  type Literal,
  parseQuery,
  QueryError,
} from "../../../../src/simulators/fusion/query-parser.ts";
import { type FusionItem, type FusionRecord, FusionRecords } from "../../../../src/simulators/fusion/records.ts";
import { invoiceResource } from "../../../../src/simulators/fusion/resources.ts";

const AMOUNT = "EnteredAmount";
const NUMBER = "TransactionNumber";
const DUE = "DueDate";

function record(item: FusionItem): FusionRecord {
  const records = new FusionRecords();
  records.put(invoiceResource, [{ CustomerTransactionId: 1, ...item }]);
  const [made] = records.all(invoiceResource);
  if (made === undefined) throw new Error("no record");
  return made;
}

const fits = (q: string, item: FusionItem): boolean => matcher(invoiceResource, parseQuery(q, 4))(record(item));

test.each<[string, FusionItem, boolean]>([
  ["TransactionDate >= '2026-01-01'", { TransactionDate: "2026-01-01" }, true],
  ["TransactionDate >= '2026-01-01'", { TransactionDate: "2025-12-31" }, false],
  ["TransactionDate != '2026-01-01'", { TransactionDate: null }, false],
  ["CustomerTransactionId = 300100180148289123", { CustomerTransactionId: 300100180148289123n }, true],
  ["CustomerTransactionId = 300100180148289123", { CustomerTransactionId: 300100180148289124n }, false],
  ["CustomerTransactionId = '7'", { CustomerTransactionId: 7 }, true],
  ["EnteredAmount in (1.0, 2)", { EnteredAmount: 1 }, true],
  ["EnteredAmount > 9", { EnteredAmount: 10 }, true],
  ["EnteredAmount <= -1e1", { EnteredAmount: JSON.rawJSON("-10.0") }, true],
  ["TransactionNumber = 'O''Brien'", { TransactionNumber: "O'Brien" }, true],
  ['TransactionNumber = "say ""hi"""', { TransactionNumber: 'say "hi"' }, true],
  ["TransactionNumber like 'A%_'", { TransactionNumber: "Ab" }, true],
  ["TransactionNumber like 'A.b'", { TransactionNumber: "Axb" }, false],
  ["TransactionNumber like 'A%'", { TransactionNumber: "bA" }, false],
  ["TransactionNumber = ' and 1=1 or '", { TransactionNumber: " and 1=1 or " }, true],
  ["DueDate is null", { DueDate: null }, true],
  ["DueDate IS NOT NULL", { DueDate: null }, false],
  ["EnteredAmount=1 or EnteredAmount=2 and TransactionNumber='x'", { EnteredAmount: 1 }, true],
  ["(EnteredAmount=1 or EnteredAmount=2) AND TransactionNumber='x'", { EnteredAmount: 1 }, false],
])("%s fits %o: %s", (q, item, expected) => {
  expect(fits(q, item)).toBe(expected);
});

test.each([
  "",
  " ",
  "EnteredAmount",
  "EnteredAmount =",
  "= 1",
  "EnteredAmount = 1 and",
  "EnteredAmount = 1 EnteredAmount = 2",
  "EnteredAmount = 1;EnteredAmount = 2",
  "(EnteredAmount = 1",
  "EnteredAmount = 1)",
  "EnteredAmount in ()",
  "EnteredAmount in (1,)",
  "EnteredAmount in 1",
  "TransactionNumber = 'open",
  "TransactionNumber = bare",
  "EnteredAmount == 1",
  "EnteredAmount = 1x",
  "EnteredAmount = 2026-01-01",
  "DueDate is 5",
  "Unknown = 1",
  "toString = 'x'",
  `${"(".repeat(2_000)}EnteredAmount = 1${")".repeat(2_000)}`,
])("%j is refused", (q) => {
  expect(() => matcher(invoiceResource, parseQuery(q, 4))).toThrow(QueryError);
});

test("any text is read or refused, never another error", () => {
  const word = fc.constantFrom(
    "EnteredAmount",
    "and",
    "or",
    "in",
    "like",
    "is",
    "not",
    "null",
    "(",
    ")",
    ",",
    "=",
    "'",
    "5",
    ";",
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(word).map((words) => words.join(" ")),
  );
  fc.assert(
    fc.property(text, (q) => {
      try {
        matcher(invoiceResource, parseQuery(q, 4));
      } catch (error) {
        expect(error).toBeInstanceOf(QueryError);
      }
    }),
    { numRuns: 500 },
  );
});

const quoted = (text: string): Literal => ({ text, quoted: true });
const integer = fc.integer({ min: -3, max: 3 });
const numeric = integer.map((value): Literal => ({ text: String(value), quoted: false }));
const textual = fc.string({ unit: fc.constantFrom("a", "b", "'", '"', "%", " "), maxLength: 3 }).map(quoted);
const operator = fc.constantFrom("=", "!=", "<>", "<", "<=", ">", ">=");
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({ kind: fc.constant("compare"), attribute: fc.constant(AMOUNT), operator, value: numeric }),
    fc.record({ kind: fc.constant("compare"), attribute: fc.constant(NUMBER), operator, value: textual }),
    fc.record({ kind: fc.constant("in"), attribute: fc.constant(AMOUNT), values: fc.array(numeric, { minLength: 1 }) }),
    fc.record({ kind: fc.constant("null"), attribute: fc.constant(DUE), negated: fc.boolean() }),
    fc.record({
      kind: fc.constantFrom("and", "or"),
      of: fc.array(tie("condition"), { minLength: 2, maxLength: 3 }),
    }),
  ),
}));

const literal = ({ text, quoted: isQuoted }: Literal): string => (isQuoted ? `'${text.replaceAll("'", "''")}'` : text);

/** Written with a parenthesis around every part, so that no precedence is at work. */
function written(of: Condition): string {
  switch (of.kind) {
    case "and":
    case "or":
      return of.of.map((part) => `(${written(part)})`).join(` ${of.kind} `);
    case "compare":
      return `${of.attribute}${of.operator}${literal(of.value)}`;
    case "in":
      return `${of.attribute} in (${of.values.map(literal).join(" , ")})`;
    case "like":
      return `${of.attribute} like ${literal(quoted(of.pattern))}`;
    case "null":
      return `${of.attribute} is ${of.negated ? "not " : ""}null`;
  }
}

interface Row {
  readonly amount: number | null;
  readonly number: string;
  readonly due: string | null;
}

/** What a condition means, in the plainest words of another language. */
function naive(of: Condition, row: Row): boolean {
  switch (of.kind) {
    case "and":
      return of.of.every((part) => naive(part, row));
    case "or":
      return of.of.some((part) => naive(part, row));
    case "in":
      return of.values.some((value) => row.amount === Number(value.text));
    case "null":
      return (row.due === null) !== of.negated;
    case "like":
      return false;
    case "compare": {
      const [left, right] = of.attribute === AMOUNT ? [row.amount, Number(of.value.text)] : [row.number, of.value.text];
      if (left === null) return false;
      const outcomes = { "=": left === right, "!=": left !== right, "<>": left !== right };
      const orders = { "<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right };
      return { ...outcomes, ...orders }[of.operator];
    }
  }
}

test("a condition written out and read again means what it meant", () => {
  const row = fc.record({
    amount: fc.option(integer),
    number: textual.map(({ text }) => text),
    due: fc.option(fc.constant("2026-01-01")),
  });
  fc.assert(
    fc.property(condition, row, (wanted, { amount, number, due }) => {
      const item = { [AMOUNT]: amount, [NUMBER]: number, [DUE]: due };
      expect(fits(written(wanted), item)).toBe(naive(wanted, { amount, number, due }));
    }),
    { numRuns: 500 },
  );
});

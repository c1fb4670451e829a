import fc from "fast-check";
import { countTokens as tokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { EXAMPLES } from "../../src/rest/examples/index.ts";
import { ROUTES } from "../../src/rest/routes.ts";
import { tools } from "../../tools/index.ts";
import { SIGNS, tokensAtMost, WORDS } from "../../tools/token-bound.ts";

const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
const ASCII_SIGNS = ASCII.filter((char) => !/[A-Za-z0-9]/.test(char));
const COMMON = [..."abcdefghilmnoprstuvwy"];
/** What texts of other alphabets, and mistakes, are made of. */
const PIECES = [
  ...[
    "Müller",
    "Ångström",
    "O'Neil's",
    "'ll've",
    "GmbH & Co. KG",
    "Société",
    "Ελλάδα",
    "ООО «Ромашка»",
    "חברה",
    "شركة",
  ],
  ...[
    "株式会社トヨタ",
    "有限公司",
    "주식회사",
    "ไทย",
    "हिन्दी",
    "🏢",
    "👩🏽‍💻",
    "𠀋𠮷",
    "１２３",
    "٣٤٥",
    "Ⅷ",
    "ﬃ",
    "ÅÄÖ",
    "ı",
    "\u0301",
  ],
  ...[
    '"',
    "\\",
    "\n",
    "\u0000",
    "\ud800",
    " ",
    "  ",
    "\u00a0",
    "\u200b",
    "'s",
    "X'S",
    "--",
    "/",
    "://",
    ".com",
    "!?",
    "…",
  ],
  ...[
    "invoice",
    "Invoice",
    "INVOICE",
    "xinvoicex",
    "7invoice8",
    "_",
    "qzxj",
    "gkgk",
    "0",
    "12",
    "1234",
    "9f8e7d",
    "{",
    "}",
    "[",
    "]",
  ],
];

/** Names and choices of all that tools answer. */
function* namesIn(schema: unknown): Generator<string> {
  if (typeof schema !== "object" || schema === null) return;
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "properties") yield* Object.keys(value);
    if (keyword === "enum") for (const choice of value) yield String(choice);
    yield* namesIn(value);
  }
}

describe("the bound of a text's tokens [completions.10.pages]", () => {
  it("holds for each of its words and signs, and for what it takes as known", () => {
    const above = (text: string, most: number): string[] => (tokens(text) > most ? [text] : []);
    const words = [...WORDS].flatMap(([word, most]) => [
      ...above(word, most),
      ...ASCII_SIGNS.flatMap((sign) => above(sign + word, most + 1)),
    ]);
    const signs = [...SIGNS].flatMap(([sign, most]) => [...above(sign, most), ...above(` ${sign}`, most + 1)]);
    const pairs = COMMON.flatMap((first) => COMMON.flatMap((second) => above(first + second, 1)));
    const numbers = [1, 2, 3].flatMap((digits) =>
      Array.from({ length: 10 ** digits }, (_, number) => String(number).padStart(digits, "0")).flatMap((text) =>
        above(text, 1),
      ),
    );
    expect({ words, signs, pairs, numbers }).toEqual({ words: [], signs: [], pairs: [], numbers: [] });
  });

  it("knows every word of our fields and choices, so that pages end no earlier than they have to", () => {
    const words = tools.flatMap((tool) => [...namesIn(tool.output)]).flatMap((name) => name.match(/[a-z]+/g) ?? []);
    const isOdd = (word: string): boolean => ["finero", "receivables", "reauthentication", "reconciled"].includes(word);
    expect([...new Set(words)].filter((word) => !WORDS.has(word) && !isOdd(word)).sort()).toEqual([]);
  });

  it("is at most a quarter above what the operations answer", () => {
    for (const { operation } of ROUTES) {
      const text = JSON.stringify(EXAMPLES.get(operation.id)?.answer ?? {});
      expect(tokensAtMost(text), operation.id).toBeGreaterThanOrEqual(tokens(text));
      expect(tokensAtMost(text), operation.id).toBeLessThanOrEqual(Math.ceil(tokens(text) * 1.25));
    }
  });

  const hostile = fc.oneof(
    fc.array(fc.constantFrom(...PIECES, ...ASCII), { maxLength: 40 }).map((pieces) => pieces.join("")),
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.string({ unit: "grapheme-ascii", maxLength: 60 }),
    fc.array(fc.constantFrom(...COMMON), { maxLength: 60 }).map((letters) => letters.join("")),
    fc.array(fc.constantFrom(..."0123456789"), { maxLength: 40 }).map((digits) => digits.join("")),
    fc.uuid(),
  );
  it("is never below, for a text alone", () => {
    fc.assert(
      fc.property(hostile, (given) => {
        const text = given.toWellFormed();
        expect(tokensAtMost(text)).toBeGreaterThanOrEqual(tokens(text));
      }),
      { numRuns: 5_000 },
    );
  });

  it("is never below, for any text", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ invoice_id: hostile, customer: fc.record({ name: fc.option(hostile) }) })),
        (rows) => {
          const text = JSON.stringify(rows);
          expect(tokensAtMost(text)).toBeGreaterThanOrEqual(tokens(text));
        },
      ),
      { numRuns: 3_000 },
    );
  });
});

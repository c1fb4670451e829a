import { type Money, money, sum } from "../../src/core/kernel/money.ts";
import type { Cells } from "../questions/question.ts";

const MONEY = /^([A-Z]{3}|UNKNOWN) (-?\d+(?:\.\d+)?)$/;
const NUMBER = /\d(?:[\d.,'’\u00A0\u202F]*\d)?/g;
const SYMBOLS: Readonly<Record<string, string>> = { "€": "EUR", $: "USD", "£": "GBP", "¥": "JPY" };
const CURRENCY = /\b(?:[A-Z]{3}|UNKNOWN)\b|[€$£¥]/g;

/** A number of a text, with the currency that stands with it: on its line, or the last one named before it. */
export interface Figure {
  /** Each way in which it can be read: `1.234` is a thousand and more, or a little above one. */
  readonly readings: readonly string[];
  readonly currency: string | null;
  /** Whether that stands on its line. */
  readonly isBeside: boolean;
}

/** A cell of money; null for any other. */
export function moneyOf(cell: string): { currency: string; amount: Money } | null {
  const [, currency, amount] = MONEY.exec(cell) ?? [];
  return currency === undefined || amount === undefined ? null : { currency, amount: money(amount) };
}

/** Every number of a text. `known` are the currencies that count as such. */
export function figuresIn(text: string, known: ReadonlySet<string>): Figure[] {
  let before: string | null = null;
  return text.split("\n").flatMap((line) => {
    const named = [...line.matchAll(CURRENCY)]
      .map(({ 0: name, index }) => ({ index, currency: SYMBOLS[name] ?? name }))
      .filter(({ currency }) => known.has(currency));
    const figures = [...line.matchAll(NUMBER)].map(({ 0: digits, index }): Figure => {
      const nearest = named.toSorted((one, other) => distance(one, index, digits) - distance(other, index, digits))[0];
      return {
        readings: readingsOf(digits),
        currency: nearest?.currency ?? before,
        isBeside: nearest !== undefined,
      };
    });
    before = named.at(-1)?.currency ?? before;
    return figures;
  });
}

/** How far a currency is from a number: `EUR 5` and `5 EUR` are as near. */
function distance({ index }: { index: number }, at: number, digits: string): number {
  return index < at ? at - index : index - (at + digits.length) + 3;
}

function readingsOf(digits: string): string[] {
  const plain = digits.replace(/['’\u00A0\u202F]/g, "");
  const readings = [plain.replaceAll(",", ""), plain.replaceAll(".", "").replace(",", "."), plain.replace(/[.,]/g, "")];
  return readings.filter((text) => /^\d+(\.\d+)?$/.test(text)).map((text) => money(text).toFixed());
}

/** Whether a text names an amount with its currency; `UNKNOWN` needs no currency, but no other beside it. */
export function namesAmount(figures: readonly Figure[], cell: { currency: string; amount: Money }): boolean {
  const wanted = cell.amount.abs().toFixed();
  return figures.some(
    ({ readings, currency, isBeside }) =>
      readings.includes(wanted) && (currency === cell.currency || (cell.currency === "UNKNOWN" && !isBeside)),
  );
}

/** What a column of the truth comes to when its currencies are added up, which is never right. */
export function sumsAcrossCurrencies(truth: readonly Cells[]): string[] {
  const columns = Math.max(0, ...truth.map((cells) => cells.length));
  const right = new Set(truth.flat().flatMap((cell) => moneyOf(cell)?.amount.toFixed() ?? []));
  return Array.from({ length: columns }, (_, at) => {
    const amounts = truth.flatMap((cells) => moneyOf(cells[at] ?? "") ?? []);
    const owed = amounts.filter(({ amount }) => !amount.isZero());
    return new Set(owed.map(({ currency }) => currency)).size < 2
      ? []
      : [sum(owed.map(({ amount }) => amount)).toFixed()];
  })
    .flat()
    .filter((total) => !right.has(total));
}

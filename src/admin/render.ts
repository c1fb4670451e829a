import { MONEY_PATTERN } from "../core/kernel/money.ts";
import { readableMoney, readableTime } from "../core/mail/readable.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Fields that are amounts in the `currency` of the same object. */
const AMOUNTS: readonly string[] = ["amount", "refunded"];

/**
 * A result as text: a table for a list, one line per field for an object. Tables wider than the terminal or with
 * multi-line texts show each row as an object instead. Without `columns` the width is unlimited.
 */
export function render(result: unknown, columns = Number.POSITIVE_INFINITY): string {
  if (Array.isArray(result)) {
    const rows = result.filter(isObject).map(withMoney);
    const whole = rows.some(hasLongText) ? null : table(rows);
    return whole?.split("\n").every((line) => width(line) <= columns) ? whole : rows.map(lines).join("\n\n");
  }
  return isObject(result) ? lines(withMoney(result)) : cell(result);
}

/** Lines below each other; false for one that does not apply. */
export const inLines = (...lines: readonly (string | false)[]) => lines.filter((line) => line !== false).join("\n");

/** An exact decimal as people read it: `1,250.50 USD`; other text is unchanged. */
export function shownMoney(amount: string, currency: string) {
  return MONEY_PATTERN.test(amount) ? readableMoney(amount, currency) : `${amount} ${currency}`;
}

/** Amounts with their currency in one field, as people write them. */
function withMoney(fields: Fields): Fields {
  const { currency, ...others } = fields;
  if (currency === undefined || !AMOUNTS.some((name) => name in fields)) return fields;
  return Object.fromEntries(
    Object.entries(others).map(([name, value]) => {
      const isAmount = AMOUNTS.includes(name) && typeof value === "string" && typeof currency === "string";
      return [name, isAmount ? shownMoney(value, currency) : value];
    }),
  );
}

const hasLongText = (fields: Fields) =>
  Object.values(fields).some((value) => typeof value === "string" && value.includes("\n"));

function table(rows: readonly Fields[]) {
  const names = Object.keys(rows[0] ?? { none: "" });
  const cells = [names, ...rows.map((row) => names.map((name) => cell(row[name] ?? null)))];
  const widths = names.map((_, index) => Math.max(...cells.map((row) => width(row[index] ?? ""))));
  const padded = (text: string, index: number) => text + " ".repeat((widths[index] ?? 0) - width(text));
  return cells.map((row) => row.map(padded).join("  ").trimEnd()).join("\n");
}

function lines(result: Fields) {
  const longest = Math.max(0, ...Object.keys(result).map((key) => key.length));
  const indent = " ".repeat(longest + 2);
  return Object.entries(result)
    .map(([key, value]) => `${key.padEnd(longest)}  ${cell(value).replaceAll("\n", `\n${indent}`)}`)
    .join("\n");
}

function cell(value: unknown): string {
  if (value === null) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length === 0 ? "–" : value.map(cell).join(value.some(isObject) ? "; " : ", ");
  if (!isObject(value)) return String(value);
  return Object.entries(withMoney(value))
    .map(([name, field]) => `${name} ${cell(field)}`)
    .join(", ");
}

const width = (text: string): number => Array.from(text).length;

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An instant in a time zone: "24 Nov 2026, 09:00 (Europe/Berlin)". */
export function localTime(instant: string, timezone: string) {
  return `${readableTime(instant, timezone)} (${timezone})`;
}

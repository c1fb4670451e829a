import { fromMinor, money } from "../../src/core/kernel/money.ts";
import { at } from "../path.ts";
import type { Facts } from "../placeholders.ts";

/** One row of an answer, as text: names as they are, money as `EUR 12.5`, numbers without zeros at the end, null as nothing. */
export type Cells = readonly string[];

/** What the calls of a trajectory answered, in their order. */
export type Answers = readonly unknown[];

export type Read = (answers: Answers, facts: Facts) => Cells[];

/** A cell of a row: the field of that path, or what a function makes of the row. */
export type Column = string | ((row: unknown) => string);

/** A value as a cell. */
export function cellOf(value: unknown): string {
  return value === null || value === undefined ? "" : String(value);
}

/** A money string of the row, with the row's currency. */
export function major(field: string, currency = "currency"): Column {
  return (row) => cash(cellOf(at(row, currency)), cellOf(at(row, field)));
}

/** An amount in minor units, with the row's currency. */
export function minor(field: string): Column {
  return (row) => minorOf(row, field);
}

/** The same of one row; payment links have theirs in `amount_minor`. */
export function minorOf(row: unknown, field = "amount_minor"): string {
  const currency = cellOf(at(row, "currency"));
  return cash(currency, fromMinor(BigInt(cellOf(at(row, field))), currency)?.toFixed() ?? "");
}

/** Money as a cell; `UNKNOWN` for a missing currency, as in aging. */
export function cash(currency: string, amount: string): string {
  return amount === "" ? "" : `${currency === "" ? "UNKNOWN" : currency} ${money(amount).toFixed()}`;
}

/** Rows of an answer's list. */
export function rowsOf(answers: Answers, answer: number, path: string): unknown[] {
  const found = at(answers[answer], path);
  if (!Array.isArray(found)) throw new Error(`answer ${answer} has no list ${path}`);
  return found;
}

/** A value that should be a list. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A row of cells for each row of an answer's list. */
export function table(answer: number, path: string, ...columns: Column[]): Read {
  return (answers) => rowsOf(answers, answer, path).map((row) => cellsOf(row, columns));
}

/** One row of cells, of an answer itself. */
export function record(answer: number, ...columns: Column[]): Read {
  return (answers) => [cellsOf(answers[answer], columns)];
}

/** The rows of several readings, one after another. */
export function together(...reads: Read[]): Read {
  return (answers, facts) => reads.flatMap((read) => read(answers, facts));
}

/** Of a reading, each row once. */
export function distinct(read: Read): Read {
  return (answers, facts) => [...new Map(read(answers, facts).map((cells) => [cells.join("\0"), cells])).values()];
}

function cellsOf(row: unknown, columns: readonly Column[]): Cells {
  return columns.map((column) => (typeof column === "string" ? cellOf(at(row, column)) : column(row)));
}

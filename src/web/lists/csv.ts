import { z } from "zod";

/** A column of a file: its name, and the path to its value in a row. */
export interface CsvColumn {
  readonly name: string;
  readonly path: readonly string[];
}

/**
 * The columns of rows of a schema, named as in the API: `customer.name` becomes `customer_name`. Lists in a row are
 * left out.
 */
export function csvColumns(row: z.ZodType, path: readonly string[] = []): CsvColumn[] {
  const shape = bare(row);
  if (shape instanceof z.ZodObject)
    return Object.entries(shape.shape).flatMap(([name, inner]) => csvColumns(inner, [...path, name]));
  return shape instanceof z.ZodArray ? [] : [{ name: path.join("_"), path }];
}

function bare(schema: z.core.$ZodType): z.core.$ZodType {
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapped ? bare(schema.unwrap()) : schema;
}

/** A line of a file (RFC 4180), with its line break. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(",")}\r\n`;
}

/** The line of a row. */
export function csvRow(columns: readonly CsvColumn[], row: unknown): string {
  return csvLine(columns.map(({ path }) => path.reduce(memberOf, row)));
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** After these some spreadsheets begin another cell, quoted or not: their list separator is the computer's. */
const AFTER_SEPARATOR = /(?<=[;,\t\r\n])/;
/** How spreadsheets recognize a formula, some of them behind white space and in full width too. */
const FORMULA = /^[\s\p{C}"]*[=+\-@]/u;
/** The only one of them that an exact amount can begin with. */
const NEGATIVE = /^-\d+(\.\d+)?$/;

/** A cell: what a spreadsheet would take for a formula gets an apostrophe first, anywhere in it; amounts stay exact. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = String(value);
  const safe = NEGATIVE.test(text) ? text : withoutFormulas(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function withoutFormulas(text: string): string {
  const parts = text.split(AFTER_SEPARATOR).map((part) => (FORMULA.test(part.normalize("NFKC")) ? `'${part}` : part));
  return `${/^[\t\r\n]/.test(text) ? "'" : ""}${parts.join("")}`;
}

import { z } from "zod";
import { UNKNOWN_CURRENCY } from "../../core/aging/buckets.ts";
import { localParts } from "../../core/kernel/calendar.ts";
import { MONEY_PATTERN } from "../../core/kernel/money.ts";
import { inWords } from "../kit/markup.ts";

/** A column of a file: its name, the path to its value in a row, and what its text is; times are the workspace's. */
export interface FileColumn {
  readonly name: string;
  readonly path: readonly string[];
  readonly holds?: "amount" | "day" | "instant" | "day of an instant" | undefined;
  /** Its heading, where its name is not that in words. */
  readonly head?: string | undefined;
  /** The value where a row has none. */
  readonly none?: string | undefined;
}

/** What a file is written of. */
export interface FileContent {
  readonly name: string;
  readonly columns: readonly FileColumn[];
  readonly timezone: string;
  readonly pages: AsyncIterable<readonly object[]>;
}

/** What is in a column, by the format that its schema has. */
const HELD: Readonly<Record<string, FileColumn["holds"]>> = { "date-time": "instant", date: "day" };

/**
 * The columns of rows of a schema: `customer.name` becomes `customer_name`, and ids come last. Lists in a row are left
 * out, and amounts in minor units, which stand beside those that people add up.
 */
export function columnsOf(row: z.core.$ZodType): FileColumn[] {
  const all = leavesOf(row, []).filter(({ name }) => !name.endsWith("_minor"));
  const isId = ({ name }: FileColumn) => /(^|_)id$/.test(name);
  return [...all.filter((column) => !isId(column)), ...all.filter(isId)];
}

function leavesOf(row: z.core.$ZodType, path: readonly string[]): FileColumn[] {
  const shape = bare(row);
  if (shape instanceof z.ZodObject)
    return Object.entries(shape.shape).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
  if (shape instanceof z.ZodArray) return [];
  const name = path.join("_");
  const { format, pattern } = z.toJSONSchema(shape, { unrepresentable: "any" });
  const holds = pattern === MONEY_PATTERN.source ? "amount" : HELD[format ?? ""];
  return [{ name, path, holds, none: name === "currency" ? UNKNOWN_CURRENCY : undefined }];
}

function bare(schema: z.core.$ZodType): z.core.$ZodType {
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapped ? bare(schema.unwrap()) : schema;
}

/** A column's name in words, with the timezone of its times. */
export function headOf({ name, holds, head = inWords(name) }: FileColumn, timezone: string) {
  return holds === "instant" ? `${head} (${timezone})` : head;
}

/** What a row has in a column. */
export function valueIn({ path, holds, none }: FileColumn, row: unknown, timezone: string) {
  const value = path.reduce(memberOf, row) ?? none;
  if ((holds !== "instant" && holds !== "day of an instant") || value === null || value === undefined) return value;
  const [day, time] = localParts(new Date(String(value)), timezone);
  return holds === "instant" ? `${day} ${time}` : day;
}

function memberOf(value: unknown, name: string) {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

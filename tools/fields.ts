import { z } from "zod";
import { nearest } from "../src/core/kernel/nearest-name.ts";
import { shown } from "../src/core/kernel/validation-messages.ts";
import { MoneyString } from "../src/core/kernel/wire-types.ts";
import type { ListAnswer } from "./page-budget.ts";

/** Of an answer that is no list: the fields asked for, as an argument and as the answer. */
export function answerFields(output: z.ZodObject) {
  const names = Object.keys(output.shape);
  const name = z.string().refine((one) => names.includes(one), { error: ({ input }) => unknownWords(input, names) });
  return {
    argument: z.array(name).min(1).max(names.length),
    pick: (answer: object, asked: readonly string[]) => only(answer, names, asked),
  };
}

/**
 * The fields that can be requested of a list's rows, read off its output; `rowKey` is always included. The operation
 * does not know them, so a cursor works with any choice of fields. The schema does not enumerate the names, which would
 * be a tenth of all tools' tokens. @throws Error if the output is not a list, or its rows lack the key.
 */
export function rowFields(output: z.ZodObject, rowKey: readonly string[]) {
  const { data } = output.shape;
  if (!(data instanceof z.ZodArray) || !(data.element instanceof z.ZodObject)) throw new Error("has no rows.");
  const names = Object.keys(data.element.shape);
  if (!rowKey.every((name) => names.includes(name))) throw new Error(`its rows have no ${rowKey.join(" and ")}.`);
  const parts = partsOf(data.element);
  const known = [...names, ...parts];
  const amounts = amountsOf(data.element);
  const { totals } = output.shape;
  const totalsUnasked = totals instanceof z.ZodArray;
  const summed = totalsUnasked && totals.element instanceof z.ZodObject ? amountsOf(totals.element) : [];
  const name = z
    .string()
    .transform((given) => twinOf(given, known))
    .refine((given) => known.includes(given), { error: ({ input }) => unknownWords(input, known) });
  return {
    argument: z
      .array(name)
      .min(1)
      .max(known.length)
      .describe(totalsUnasked ? "`totals` come with an amount" : ""),
    /**
     * The list with the key and the requested fields of each row, in the rows' own order; the rest is unchanged. An
     * amount brings its `currency`, and an amount also brings totals that the list has by default.
     */
    pick(list: ListAnswer, asked: readonly string[], key = rowKey) {
      const isOfAmounts = asked.some((name) => amounts.includes(name));
      const shown = [...key, ...asked, ...(isOfAmounts ? ["currency"] : [])];
      const picked = { ...list, data: rowsOf(list).map((row) => only(row, names, shown)) };
      if (!totalsUnasked) return picked;
      return isOfAmounts ? { ...picked, totals: totalsOf(list, asked, summed) } : withoutTotals(picked);
    },
  };
}

const MONEY = z.toJSONSchema(MoneyString).pattern;

const amountsOf = ({ shape }: z.ZodObject) =>
  Object.entries(shape).flatMap(([name, schema]) => (isAmount(name, schema) ? [name] : []));

/** Whether a field is an amount in the row's currency. */
function isAmount(name: string, schema: z.core.$ZodType) {
  return name.endsWith("_minor") || z.toJSONSchema(bare(schema)).pattern === MONEY;
}

function bare(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodNullable || schema instanceof z.ZodOptional ? bare(schema.unwrap()) : schema;
}

/** The name as the rows have it: some say `customer_name` and some `customer.name`. */
function twinOf(name: string, known: readonly string[]) {
  return known.find((one) => one !== name && one.replace(".", "_") === name.replace(".", "_")) ?? name;
}

/** The totals of the amounts asked for; where they have none of them, of all. */
function totalsOf({ totals }: ListAnswer, asked: readonly string[], amounts: readonly string[]) {
  if (!Array.isArray(totals)) return totals;
  const summed = amounts.filter((name) => asked.includes(name) && totals.some((total) => name in Object(total)));
  if (summed.length === 0) return totals;
  const kept = ([name]: [string, unknown]) => summed.includes(name) || !amounts.includes(name);
  return totals.map((total) => Object.fromEntries(Object.entries(Object(total)).filter(kept)));
}

function withoutTotals({ totals: _, ...list }: ListAnswer): ListAnswer {
  return list;
}

/** The fields of a row's nested objects, such as `customer.name`. */
function partsOf(row: z.ZodObject) {
  return Object.entries(row.shape).flatMap(([name, schema]) => {
    const object = bare(schema);
    return object instanceof z.ZodObject ? Object.keys(object.shape).map((part) => `${name}.${part}`) : [];
  });
}

function unknownWords(name: unknown, known: readonly string[]) {
  const [whole] = String(name).split(".");
  const near = nearest(String(name), known) ?? known.find((one) => one === whole) ?? null;
  const right = near === null ? `one of ${known.join(", ")}` : "a field of the rows";
  return `must be ${right}, not ${shown(name)}${near === null ? "" : `: the nearest is \`${near}\``}`;
}

function rowsOf({ data }: ListAnswer): unknown[] {
  return Array.isArray(data) ? data : [];
}

/** Picks the requested fields of an object, and parts of its nested objects. */
function only(row: unknown, names: readonly string[], asked: readonly string[]): object {
  const fields = new Map(Object.entries(Object(row)));
  return Object.fromEntries(
    names.flatMap((name): [string, unknown][] => {
      const value = fields.get(name);
      if (value === undefined) return [];
      if (asked.includes(name)) return [[name, value]];
      const parts = asked.flatMap((one) => (one.startsWith(`${name}.`) ? [one.slice(name.length + 1)] : []));
      if (parts.length === 0) return [];
      return [[name, value === null ? null : only(value, Object.keys(Object(value)), parts)]];
    }),
  );
}

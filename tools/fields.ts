import { z } from "zod";
import type { ListAnswer } from "./page-budget.ts";

/** The rows of a list, of which an assistant may ask for some fields only. */
export interface RowFields {
  /** Names of fields; one at least. */
  readonly argument: z.ZodType<readonly string[]>;
  /** The list with each row's key and the fields asked for, in the order rows have them; all else as it was. */
  pick(list: ListAnswer, asked: readonly string[]): ListAnswer;
}

/**
 * What can be asked for of a list's rows, read off its output; `key` always comes. The operation knows nothing of it:
 * a cursor stays valid for any choice of fields.
 * @throws Error where the output is no list, or its rows have no such key.
 */
export function rowFields(output: z.ZodObject, key: readonly string[]): RowFields {
  const { data } = output.shape;
  if (!(data instanceof z.ZodArray) || !(data.element instanceof z.ZodObject)) throw new Error("has no rows.");
  const names = Object.keys(data.element.shape);
  if (!key.every((name) => names.includes(name))) throw new Error(`its rows have no ${key.join(" and ")}.`);
  const always = key.map((name) => `\`${name}\``).join(" and ");
  return {
    argument: z
      .array(z.enum(names))
      .min(1)
      .describe(`Only these fields of each row; ${always} always ${key.length === 1 ? "comes" : "come"}`),
    pick(list, asked) {
      const shown = names.filter((name) => key.includes(name) || asked.includes(name));
      return { ...list, data: rowsOf(list).map((row) => only(row, shown)) };
    },
  };
}

function rowsOf({ data }: Readonly<Record<string, unknown>>): unknown[] {
  return Array.isArray(data) ? data : [];
}

function only(row: unknown, names: readonly string[]): object {
  const fields = new Map(Object.entries(Object(row)));
  return Object.fromEntries(names.filter((name) => fields.has(name)).map((name) => [name, fields.get(name)]));
}

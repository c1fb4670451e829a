import { z } from "zod";

/**
 * Arguments as hosts send them, as their schema has them (completions §3): null, and `""` where the schema refuses it, is left
 * out where it may be; a list, object, integer or boolean sent as its JSON text is read. All else is as it was.
 */
export function readSent(schema: z.core.$ZodType, sent: unknown): unknown {
  const wanted = unwrapped(schema);
  const value = typeof sent === "string" ? readJson(wanted, sent) : sent;
  if (wanted instanceof z.ZodArray && Array.isArray(value)) return value.map((item) => readSent(wanted.element, item));
  if (!(wanted instanceof z.ZodObject) || !isObject(value)) return value;
  const known = new Map(Object.entries(wanted.shape));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const field = known.get(name);
      if (field === undefined) return [[name, inner]];
      return isLeftOut(field, inner) ? [] : [[name, readSent(field, inner)]];
    }),
  );
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? unwrapped(schema.unwrap()) : schema;
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isLeftOut = (field: z.core.$ZodType, value: unknown) =>
  (value === null || value === "") && field._zod.optin !== undefined && !z.safeParse(field, value).success;

/** What a JSON text says, where it has one reading and that is of the wanted kind. */
function readJson(wanted: z.core.$ZodType, text: string) {
  const isWanted = KINDS[wanted._zod.def.type];
  if (isWanted === undefined) return text;
  try {
    const value: unknown = JSON.parse(text);
    // Of two fields of one name, readers differ in which they take.
    const isOne = namesIn(text) === namesIn(JSON.stringify(value));
    return isOne && isWanted(value, text) ? value : text;
  } catch {
    return text;
  }
}

const KINDS: Readonly<Record<string, (value: unknown, text: string) => boolean>> = {
  array: Array.isArray,
  object: isObject,
  boolean: (value) => typeof value === "boolean",
  number: (value, text) => Number.isSafeInteger(value) && String(value) === text.trim(),
};

/** How many names of fields are in a JSON text. */
const namesIn = (json: string) =>
  (json.match(/"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?/g) ?? []).filter((token) => token.endsWith(":")).length;

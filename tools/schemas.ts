import { z } from "zod";
import { type JsonSchema, mapSchemas, plainSchema } from "../src/core/json-schema.ts";

/** JSON Schema with a plain object at its root. */
export interface ObjectSchema {
  readonly [keyword: string]: unknown;
  readonly type: "object";
  readonly properties: Record<string, JsonSchema>;
  readonly required?: string[];
  readonly additionalProperties?: false;
}

/** What a tool takes, in full: a model that keeps to it is not refused for the form of its arguments. */
export function inputSchema(schema: z.ZodObject): ObjectSchema {
  const { $schema: _, ...json } = plainSchema(z.toJSONSchema(schema, { io: "input" }));
  if (json.additionalProperties !== false) throw new Error("the input schema must be strict.");
  return { ...rooted(json), additionalProperties: false };
}

/**
 * What a tool answers: names, types, null, choices and words, and nothing twice. How ids, instants and amounts are
 * spelt is said once in the instructions. What always comes is said at the root, and of a row by its key: other fields
 * of a row come unless `fields` leaves them out. Answers may gain fields (service.md §9.2).
 */
export function outputSchema(
  schema: z.ZodObject,
  { rowKey }: { rowKey?: readonly string[] | undefined },
): ObjectSchema {
  const { $schema: _, required = [], ...json } = plainSchema(z.toJSONSchema(schema, { io: "output" }));
  const { properties, ...root } = rooted(mapSchemas(json, brief));
  const { data } = properties;
  if (rowKey !== undefined && data?.items !== undefined) data.items.required = [...rowKey];
  return { ...root, properties, required };
}

/** Words of every value of a kind, and those that say no more than the name. */
const SAID_ALREADY = new Set([
  "UUID",
  "ISO 8601 instant",
  "ISO 4217 code",
  "Exact decimal in major units",
  "1 to 30 days overdue",
  "31 to 60 days overdue",
  "61 to 90 days overdue",
  "Over 90 days overdue",
]);

function brief({ description, ...schema }: JsonSchema): JsonSchema {
  for (const spelling of ["format", "pattern", "minLength", "maxLength", "required", "additionalProperties"])
    delete schema[spelling];
  return description === undefined || SAID_ALREADY.has(description) ? schema : { ...schema, description };
}

/** Some clients drop a tool, or all tools, for a union at the root. */
function rooted({ type, properties = {}, ...rest }: JsonSchema): ObjectSchema {
  const { additionalProperties: _, ...json } = rest;
  if (type !== "object" || "anyOf" in json || "oneOf" in json || "allOf" in json || "$ref" in json)
    throw new Error("the schema must be a plain object.");
  return { type, properties, ...json };
}

import { z } from "zod";
import { type JsonSchema, mapSchemas, plainSchema } from "../src/core/kernel/json-schema.ts";
import { SKETCHED, SPELLINGS } from "../src/core/kernel/wire-types.ts";

/** JSON Schema with a plain object at its root. */
export interface ObjectSchema {
  readonly [keyword: string]: unknown;
  readonly type: "object";
  readonly properties: Record<string, JsonSchema>;
  readonly required?: string[];
  readonly additionalProperties?: false;
}

/**
 * A tool's arguments: types, choices and numbers' bounds, and words where the name does not say it all. How texts are spelt is
 * left out: a refusal says what would be right. What is `unlisted` is taken and not told of.
 */
export function inputSchema(schema: z.ZodObject, unlisted: readonly string[] = []): ObjectSchema {
  const { $schema: _, ...json } = plainSchema(z.toJSONSchema(schema, { io: "input" }));
  if (json.additionalProperties !== false) throw new Error("the input schema must be strict.");
  for (const name of unlisted) delete json.properties?.[name];
  return { ...rooted(mapSchemas(json, withoutTheObvious)), additionalProperties: false };
}

/** Arguments whose name and choices say it all, in any tool that takes them. */
const OBVIOUS = new Set([
  "cursor",
  "limit",
  "order",
  "include_total",
  "status",
  "state",
  "type",
  "enabled",
  "overdue",
  "has_active_payment_link",
  "erp_push_status",
  "email_status",
  "collection_status",
]);

function withoutTheObvious({ properties, ...schema }: JsonSchema): JsonSchema {
  if (properties === undefined) return schema;
  const told = Object.entries(properties).map(([name, { description, ...form }]): [string, JsonSchema] => {
    const isObvious = form.format === "uuid" || OBVIOUS.has(name);
    for (const spelling of ["pattern", "minLength", "maxLength"]) delete form[spelling];
    if (name === "fields") for (const bound of ["minItems", "maxItems"]) delete form[bound];
    return [name, isObvious || !description ? form : { ...form, description }];
  });
  return { ...schema, properties: Object.fromEntries(told) };
}

/**
 * A tool's answer: names, types, null, choices and descriptions, without repetition. Formats of ids, instants and
 * amounts are described once, in the instructions. `required` names the root's fields and a row's key; other fields of
 * a row are absent if `fields` leaves them out. Answers may gain fields (service.md §9.2).
 */
export function outputSchema(
  schema: z.ZodObject,
  { rowKey, picked }: { rowKey?: readonly string[] | undefined; picked?: true | undefined },
): ObjectSchema {
  const {
    $schema: _,
    required = [],
    ...json
  } = plainSchema(z.toJSONSchema(schema, { io: "output", override: withoutSpelling }));
  const { properties, ...root } = rooted(mapSchemas(json, brief));
  const { data } = properties;
  if (rowKey !== undefined && data?.items !== undefined) data.items.required = [...rowKey];
  // A model does not poll, and these say nothing to it: they are in answers, but for the first, and not told of.
  delete properties.pagination?.properties?.as_of;
  for (const name of ["collection_updated_at", "provider_reference", "payment_push_mode"])
    delete data?.items?.properties?.[name];
  return {
    ...root,
    properties,
    required: picked ? [] : rowKey === undefined ? required : required.filter((name) => name !== "totals"),
  };
}

type Spelled = { zodSchema: z.core.$ZodType; jsonSchema: z.core.JSONSchema.BaseSchema };

function withoutSpelling({ zodSchema, jsonSchema }: Spelled) {
  const { items } = jsonSchema;
  if (SKETCHED.has(zodSchema)) delete jsonSchema.enum;
  if (SKETCHED.has(zodSchema) && typeof items === "object" && "type" in items) jsonSchema.items = { type: items.type };
  if (SPELLINGS.has(zodSchema)) delete jsonSchema.description;
}

function brief({ description, ...schema }: JsonSchema): JsonSchema {
  for (const spelling of ["format", "pattern", "minLength", "maxLength", "required", "additionalProperties"])
    delete schema[spelling];
  // A count: its name says so.
  if (schema.minimum === 0) delete schema.minimum;
  return description === undefined ? schema : { ...schema, description };
}

/** Some clients drop a tool, or all tools, for a union at the root. */
function rooted({ type, properties = {}, ...rest }: JsonSchema): ObjectSchema {
  const { additionalProperties: _, ...json } = rest;
  if (type !== "object" || "anyOf" in json || "oneOf" in json || "allOf" in json || "$ref" in json)
    throw new Error("the schema must be a plain object.");
  return { type, properties, ...json };
}

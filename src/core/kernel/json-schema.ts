import { z } from "zod";

/** The part of JSON Schema in which it is said what the operations take and answer. */
export interface JsonSchema {
  [keyword: string]: unknown;
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  default?: unknown;
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  additionalProperties?: unknown;
}

/** What an operation takes, as JSON Schema. */
export function schemaOfInput(schema: z.ZodType): JsonSchema {
  const source: object = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return { ...source };
}

/** A schema as people and models are shown it: no pattern behind a format, no bounds of every safe integer, null as a type. */
export function plainSchema(source: object) {
  return mapSchemas({ ...source }, (schema) => {
    const shown = { ...schema };
    if (shown.format !== undefined) delete shown.pattern;
    if (shown.maximum === Number.MAX_SAFE_INTEGER) delete shown.maximum;
    if (shown.minimum === Number.MIN_SAFE_INTEGER) delete shown.minimum;
    return nullAsType(shown);
  });
}

function nullAsType({ anyOf, ...rest }: JsonSchema): JsonSchema {
  const [value, other, ...more] = anyOf ?? [];
  if (value === undefined || typeof value.type !== "string" || other?.type !== "null" || more.length > 0)
    return anyOf === undefined ? rest : { ...rest, anyOf };
  const nullable: JsonSchema = { ...value, ...rest, type: [value.type, "null"] };
  return value.enum === undefined ? nullable : { ...nullable, enum: [...value.enum, null] };
}

/** Changes a schema and every schema inside it, from the inside out. */
export function mapSchemas(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema) {
  const { properties, items, anyOf, ...own } = schema;
  const inside: JsonSchema = { ...own };
  if (properties !== undefined)
    inside.properties = Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [name, mapSchemas(member, change)]),
    );
  if (items !== undefined) inside.items = mapSchemas(items, change);
  if (anyOf !== undefined) inside.anyOf = anyOf.map((member) => mapSchemas(member, change));
  return change(inside);
}

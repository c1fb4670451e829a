import { z } from "zod";
import { ERRORS } from "../../core/kernel/error.ts";
import { type JsonSchema, mapSchemas, plainSchema } from "../../core/kernel/json-schema.ts";
import { capital } from "../../core/kernel/text.ts";
import { snakeCase } from "../../core/kernel/validation-messages.ts";
import { EXACTLY_ONE, NAMES, nameSchemas } from "../../core/kernel/wire-types.ts";
import { pathNames } from "../match.ts";
import type { Route } from "../routes.ts";
import { describeSchema } from "./words.ts";

/** The subset of JSON Schema that zod emits for this API. */
export type Schema = JsonSchema;

/** The error object of service.md §2.9. */
const ErrorResponse = z.strictObject({
  error: z.strictObject({
    code: z.enum(Object.keys(ERRORS)).describe("What went wrong, for programs; more may come"),
    message: z.string().describe("What went wrong, for people; may change"),
    request_id: z.string().describe("The response's `X-Request-Id`"),
    details: z
      .array(z.strictObject({ field: z.string(), message: z.string() }))
      .optional()
      .describe("Each field at fault, as it was written (`links[3].amount_minor`)"),
  }),
});
const { error } = ErrorResponse.shape;
nameSchemas({
  ErrorBody: error,
  ErrorCode: error.shape.code,
  ErrorDetail: error.shape.details.unwrap().element,
  ErrorResponse,
});

/** Closed to further fields (service.md §2.2); every other response may gain some. */
const CLOSED = new Set(["ErpConnection"]);

type Direction = "input" | "output";

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly schema: Schema;
}

/** What a route takes and answers; schemas by their names. */
export interface RouteSchemas {
  readonly answer: string;
  /** Null without a body. */
  readonly body: string | null;
  readonly parameters: readonly Parameter[];
}

/** Every schema of the API by name, generated from the operations' own as routes are asked for. */
export class ApiSchemas {
  readonly #components = new Map<string, Schema>();

  constructor() {
    this.#read(ErrorResponse, "output");
  }

  of(route: Route): RouteSchemas {
    return { answer: this.#answer(route), body: this.#body(route), parameters: this.#parameters(route) };
  }

  /** Those of the routes that were asked for, sorted by name and described for people. */
  components(): Record<string, Schema> {
    const sorted = [...this.#components].sort(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(sorted.map(([name, schema]) => [name, describeSchema(name, schema)]));
  }

  #answer({ operation: { id, output } }: Route) {
    const schema = this.#read(output, "output");
    return schema.$ref?.split("/").at(-1) ?? this.#add(`${capital(id)}Answer`, schema);
  }

  #body({ method, path, operation: { id, input } }: Route) {
    const ids = new Set(pathNames(path).map(snakeCase));
    const members = Object.entries(input.shape).filter(([name]) => !ids.has(name));
    if (method === "GET" || members.length === 0) return null;
    const schema = this.#read(z.strictObject(Object.fromEntries(members)), "input");
    const forms = (EXACTLY_ONE.get(input)?.of ?? []).map((field) => {
      const { [field]: member = {} } = schema.properties ?? {};
      const form = { ...schema, properties: { [field]: member }, required: [field] };
      return reference(this.#add(`${capital(id)}By${field.split("_").map(capital).join("")}Request`, form));
    });
    return this.#add(`${capital(id)}Request`, forms.length === 0 ? schema : { oneOf: forms });
  }

  #parameters({ method, path, operation }: Route): Parameter[] {
    const { properties = {} } = this.#read(operation.input, "input");
    const inPath = pathNames(path);
    const ids = new Set(inPath.map(snakeCase));
    const inQuery = method === "GET" ? Object.keys(properties).filter((name) => !ids.has(name)) : [];
    return [
      ...inPath.map((name): Parameter => ({ name, in: "path", schema: properties[snakeCase(name)] ?? {} })),
      ...inQuery.map((name): Parameter => ({ name, in: "query", schema: properties[name] ?? {} })),
    ];
  }

  /** A schema as the description has it; the parts of it that have a name are kept under it and referred to. */
  #read(schema: z.ZodType, io: Direction) {
    const parts = new Map<string, object>();
    const { $schema: _dialect, ...whole } = z.toJSONSchema(schema, { io, override: (part) => takeOut(part, parts) });
    for (const [name, part] of parts) this.#add(name, shown(part, io, name));
    return shown(whole, io);
  }

  #add(name: string, schema: Schema) {
    const there = this.#components.get(name) ?? schema;
    if (JSON.stringify(there) !== JSON.stringify(schema)) throw new Error(`two schemas are called ${name}`);
    this.#components.set(name, schema);
    return name;
  }
}

/** A reference to a named schema. */
export function reference(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Puts a reference in the place of a schema that has a name; what refers to one keeps its own description and default. */
function takeOut({ zodSchema, jsonSchema }: Converted, parts: Map<string, object>) {
  const { id: name, form } = NAMES.get(zodSchema) ?? {};
  const { $ref = name && reference(name).$ref, description, default: usual, ...rest } = jsonSchema;
  if ($ref === undefined) return;
  if (name !== undefined) parts.set(name, { ...(form ?? rest), ...(description && { description }) });
  for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword];
  const isOwn = name === undefined && description !== undefined;
  Object.assign(jsonSchema, { $ref, ...(isOwn && { description }), ...(usual !== undefined && { default: usual }) });
}

type Converted = { zodSchema: z.core.$ZodType; jsonSchema: z.core.JSONSchema.BaseSchema };

/** A schema in the description: answers may gain fields (service.md §9.2), a constant is a choice of one, numbers say their size. */
function shown(source: object, io: Direction, name?: string) {
  const isOpen = io === "output" && !(name !== undefined && CLOSED.has(name));
  return mapSchemas(plainSchema(source), ({ additionalProperties, const: only, ...schema }) => ({
    ...sized(schema),
    ...(only === undefined ? {} : { enum: [only] }),
    ...(additionalProperties === undefined || isOpen ? {} : { additionalProperties }),
  }));
}

const INT32 = 2 ** 31;

function sized(schema: Schema) {
  const types = [schema.type].flat();
  if (types.includes("number")) return { ...schema, format: "double" };
  if (!types.includes("integer")) return schema;
  // The bounds that zod takes for granted.
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema;
  return { ...schema, format: minimum >= -INT32 && maximum < INT32 ? "int32" : "int64", minimum, maximum };
}

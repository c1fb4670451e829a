import { z } from "zod";
import type { Actor, Scope } from "../src/core/actor.ts";
import { IdempotencyKey } from "../src/core/idempotency.ts";
import { assertPermitted, type CallRequest, type Operation } from "../src/core/operation.ts";
import { parseInput } from "../src/core/validation.ts";

/** What a tool does to the world, in the protocol's words; all four are said, for the defaults assume the worst. */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** JSON Schema with a plain object at its root. */
export interface ObjectSchema {
  readonly [keyword: string]: unknown;
  readonly type: "object";
  readonly properties: Record<string, object>;
  readonly required?: string[];
  readonly additionalProperties: false;
}

/** One tool of the assistant route (completions §3). */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For the model; every word is paid for on every conversation. */
  readonly description: string;
  readonly annotations: Annotations;
  /** The scope that a connection must have been granted. */
  readonly scope: Scope;
  /** Whether only an admin of the workspace may call it. */
  readonly admin: boolean;
  readonly input: ObjectSchema;
  readonly output: ObjectSchema;
  /** Throws ServiceError for what the caller did wrong. */
  call(actor: Actor, args: unknown, request: CallRequest): Promise<object>;
}

interface Declaration extends Pick<Tool, "name" | "title" | "description" | "annotations"> {
  readonly operation: Operation<z.ZodObject, z.ZodObject>;
}

/** How the key of an operation that is carried out once is called among a tool's arguments (completions §3). */
const KEY = {
  idempotency_key: IdempotencyKey.describe("New for each new request; reuse the same key when you retry"),
};

/**
 * Makes a tool of an operation: scope, role and both schemas are read off it, once. Where the operation takes an
 * idempotency key, the tool has it as an argument.
 * @throws Error for an operation that assistants cannot have, or a schema that some clients would drop.
 */
export function tool({ operation, ...face }: Declaration): Tool {
  const { scope, idempotency } = operation;
  if (scope === null) throw new Error(`${face.name}: ${operation.id} is not for assistants.`);
  const input = idempotency ? operation.input.extend(KEY) : operation.input;
  return {
    ...face,
    scope,
    admin: operation.permission === "admin",
    input: objectSchema(face.name, input, "input"),
    output: objectSchema(face.name, operation.output, "output"),
    async call(actor, args, request) {
      if (!idempotency) return operation.call(actor, args, request);
      assertPermitted(operation, actor);
      const { idempotency_key: key, ...rest } = recordOf(args);
      const idempotencyKey = IdempotencyKey.safeParse(key).data;
      // Says all that is wrong at once, the key included.
      if (idempotencyKey === undefined) parseInput(input, args);
      return operation.call(actor, rest, { ...request, idempotencyKey });
    },
  };
}

function recordOf(args: unknown): Record<string, unknown> {
  return typeof args === "object" && args !== null ? { ...args } : {};
}

/** Whether a call of the tool would be let in now; tools/list shows these and no others. */
export function mayCall(actor: Actor, { scope, admin }: Pick<Tool, "scope" | "admin">): boolean {
  return actor.kind === "member" && actor.scopes.includes(scope) && (!admin || actor.role === "admin");
}

function objectSchema(name: string, schema: z.ZodObject, io: "input" | "output"): ObjectSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => shorten(jsonSchema) });
  const { type, properties = {}, additionalProperties } = json;
  if (type !== "object" || additionalProperties !== false || "anyOf" in json || "oneOf" in json || "allOf" in json) {
    throw new Error(`${name}: the ${io} schema must be a strict plain object.`);
  }
  const plain = Object.fromEntries(
    Object.entries(properties).map(([key, property]) => [key, typeof property === "object" ? property : {}]),
  );
  return { ...json, type, properties: plain, additionalProperties };
}

/** Leaves out what says nothing more: the pattern behind a named format, and the bounds of every safe integer. */
function shorten(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}

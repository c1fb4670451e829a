import { z } from "zod";
import type { JsonSchema } from "../../core/kernel/json-schema.ts";
import examples from "../examples.json" with { type: "json" };

const RECORDS: Readonly<Record<string, object>> = examples.records;

/** A value of the file: `{ "@": "link paid", … }` is the record of that name, with what else stands there. */
function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filled);
  if (typeof value !== "object" || value === null) return value;
  const { "@": name, ...own } = { "@": undefined, ...value };
  const record = typeof name === "string" ? RECORDS[name] : {};
  if (record === undefined) throw new Error(`no record ${String(name)}`);
  return Object.fromEntries(Object.entries({ ...record, ...own }).map(([field, member]) => [field, filled(member)]));
}

/** An example call of each operation, by its id, and an example of each parameter, all in one small company. */
const EXAMPLES = z
  .object({
    parameters: z.record(z.string(), z.unknown()),
    operations: z.record(
      z.string(),
      z.object({
        answer: z.looseObject({}),
        body: z.looseObject({}).optional(),
        parameters: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
  })
  .parse(filled(examples));

/** The example call of an operation; undefined without one. */
export function exampleCall(operationId: string): { answer: object; body?: object | undefined } | undefined {
  return EXAMPLES.operations[operationId];
}

/** An example of a parameter: the operation's own, else the one for its name; undefined without either. */
export function exampleParameter(operationId: string, name: string, schema: JsonSchema) {
  return EXAMPLES.operations[operationId]?.parameters?.[name] ?? EXAMPLES.parameters[name] ?? schema.default;
}

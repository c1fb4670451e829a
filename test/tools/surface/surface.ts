import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type JsonSchema, mapSchemas } from "../../../src/core/kernel/json-schema.ts";
import { tools } from "../../../tools/index.ts";
import type { Annotations } from "../../../tools/tool.ts";

/** What clients can depend on of one tool; wording is not part of it. */
export interface ToolSurface {
  readonly scope: string;
  readonly admin: boolean;
  readonly annotations: Annotations;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
}

/** The surface of all tools, by name. */
export type Surface = Readonly<Record<string, ToolSurface>>;

/** The surface of the last release, renewed by `npm run surface -- --release`. */
export const RELEASED = join(import.meta.dirname, "released.json.snap");

const withoutWords = (schema: JsonSchema): JsonSchema =>
  mapSchemas(schema, ({ description: _, examples: __, ...form }) => form);

/** The surface of the tools as they are declared now. */
export function currentSurface(): Surface {
  return Object.fromEntries(
    tools.map(({ name, scope, admin, annotations, input, output }) => [
      name,
      { scope, admin, annotations, input: withoutWords({ ...input }), output: withoutWords({ ...output }) },
    ]),
  );
}

const Schema = z.looseObject({ type: z.literal("object"), properties: z.record(z.string(), z.looseObject({})) });
const Released = z.strictObject({
  version: z.string(),
  tools: z.record(
    z.string(),
    z.strictObject({
      scope: z.string(),
      admin: z.boolean(),
      annotations: z.strictObject({
        readOnlyHint: z.boolean(),
        destructiveHint: z.boolean(),
        idempotentHint: z.boolean(),
        openWorldHint: z.boolean(),
      }),
      input: Schema,
      output: Schema,
    }),
  ),
});

/** The last release's version and surface. */
export function releasedSurface(): { version: string; tools: Surface } {
  return Released.parse(JSON.parse(readFileSync(RELEASED, "utf8")));
}

/** The file of a release. */
export function surfaceFile(version: string): string {
  return `${JSON.stringify({ version, tools: currentSurface() }, null, 1)}\n`;
}

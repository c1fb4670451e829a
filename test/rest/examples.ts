import { z } from "zod";
import { openApiDocument } from "../../src/rest/openapi/document.ts";
import { ROUTES } from "../../src/rest/routes.ts";

const Example = z.object({ "application/json": z.object({ example: z.unknown().optional() }) });
const Described = z.object({
  operationId: z.string(),
  parameters: z.array(z.object({ name: z.string().optional(), example: z.unknown().optional() })),
  requestBody: z.object({ content: Example }).optional(),
  responses: z.record(z.string(), z.object({ content: Example.optional().catch(undefined) })),
});
const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), Described)) });

export const content = openApiDocument(ROUTES, "https://receivables.example.test");

/** The example call of each operation. */
export const described = Object.values(Document.parse(content).paths)
  .flatMap((methods) => Object.entries(methods))
  .map(([method, one]) => ({
    id: one.operationId,
    isRead: method === "get",
    asked: { ...Object.fromEntries(one.parameters.map(({ name = "", example }) => [name, example])) },
    body: one.requestBody?.content["application/json"].example,
    answer: Object.entries(one.responses).find(([status]) => status.startsWith("2"))?.[1].content?.["application/json"]
      .example,
  }));

export function exampleOf(id: string) {
  const found = described.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no ${id}`);
  return found;
}

/** The rows of a list's example. */
export const listed = <T extends z.ZodType>(id: string, row: T) =>
  z.object({ data: z.array(row) }).parse(exampleOf(id).answer).data;

/** Every value in an example, with the name of the field it stands in. */
export function* fieldsIn(value: unknown, name = ""): Generator<{ name: string; value: unknown }> {
  yield { name, value };
  if (Array.isArray(value)) for (const item of value) yield* fieldsIn(item, name);
  else if (typeof value === "object" && value !== null)
    for (const [field, member] of Object.entries(value)) yield* fieldsIn(member, field);
}

/** Every object in the examples that has these fields. */
export function having<S extends z.ZodType>(shape: S, calls: readonly object[] = described): z.output<S>[] {
  return [...fieldsIn(calls)].flatMap(({ value }) => {
    const { data } = shape.safeParse(value);
    return data === undefined ? [] : [data];
  });
}

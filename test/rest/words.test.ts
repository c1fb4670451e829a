import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { JsonSchema } from "../../src/core/kernel/json-schema.ts";
import { openApiDocument } from "../../src/rest/openapi/document.ts";
import words from "../../src/rest/openapi/words.json" with { type: "json" };
import { ROUTES } from "../../src/rest/routes.ts";

const Schema: z.ZodType<JsonSchema> = z.looseObject({});
const Described = z.looseObject({ description: z.string().optional(), schema: Schema.optional() });
const Document = z.object({
  servers: z.array(Described),
  tags: z.array(Described.extend({ name: z.string() })),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      Described.extend({
        operationId: z.string(),
        parameters: z.array(Described.extend({ name: z.string().optional() })),
        requestBody: Described.optional(),
        responses: z.record(z.string(), Described),
      }),
    ),
  ),
  components: z.object({
    schemas: z.record(z.string(), Schema),
    ...Object.fromEntries(
      ["parameters", "headers", "responses", "securitySchemes"].map((kind) => [kind, z.record(z.string(), Described)]),
    ),
  }),
});

interface Place {
  readonly kind: string;
  readonly place: string;
  readonly name: string;
  readonly text: string | undefined;
}

/** Each property, named schema and value in a schema. What is referred to is described where it is named. */
function* placesIn(schema: JsonSchema, place: string): Generator<Place> {
  for (const value of schema.enum ?? [])
    if (typeof value === "string") {
      const line = schema.description?.split("\n").find((text) => text.startsWith(`- \`${value}\`: `));
      yield { kind: "value", place: `${place} = ${value}`, name: value, text: line?.slice(value.length + 6) };
    }
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const [text] = (member.description ?? "").split("\n\n- `");
    yield { kind: "property", place: `${place}.${name}`, name, text };
    yield* placesIn(member, `${place}.${name}`);
  }
  for (const inner of [schema.items, ...(schema.anyOf ?? [])]) if (inner !== undefined) yield* placesIn(inner, place);
}

function* placesOf(content: object): Generator<Place> {
  const { servers, tags, paths, components } = Document.parse(content);
  for (const { description: text } of servers) yield { kind: "server", place: "servers", name: "", text };
  for (const { name, description: text } of tags) yield { kind: "tag", place: name, name, text };
  const { schemas, ...others } = components;
  for (const [name, schema] of Object.entries(schemas)) {
    yield { kind: "schema", place: name, name, text: schema.description };
    yield* placesIn(schema, name);
  }
  for (const [kind, members] of Object.entries(z.record(z.string(), z.record(z.string(), Described)).parse(others)))
    for (const [name, { description: text }] of Object.entries(members)) yield { kind, place: name, name, text };
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const { operationId, parameters, requestBody, responses, description } = operation;
    yield { kind: "operation", place: operationId, name: operationId, text: description };
    const bodies = [...(requestBody ? [["request", requestBody] as const] : []), ...Object.entries(responses)];
    for (const [name, body] of bodies)
      if (!("$ref" in body)) yield { kind: "body", place: `${operationId} ${name}`, name, text: body.description };
    for (const { name = "", schema = {}, description } of parameters) {
      if (name === "") continue;
      const [text] = (description ?? "").split("\n\n- `");
      yield { kind: "parameter", place: `${operationId}?${name}`, name, text };
      yield* placesIn({ description: description ?? "", ...schema }, `${operationId}?${name}`);
    }
  }
}

/** Fewest words of a sentence that says more than a type; what a value means stands beside its name. */
const FEWEST: Readonly<Record<string, number>> = { value: 2, operation: 6 };
const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "");

/** The places whose description is missing, is the name, or is no sentence. */
function undescribed(content: object): string[] {
  return [...placesOf(content)].flatMap(({ kind, place, name, text = "" }) => {
    const isSentence = /^[\p{Lu}\p{N}`].*\.$/su.test(text) && text.split(/\s+/).length >= (FEWEST[kind] ?? 4);
    return isSentence && plain(text) !== plain(name) ? [] : [`${kind} ${place}: ${text}`];
  });
}

describe("the words of the API's description", () => {
  const content = openApiDocument(ROUTES, "https://receivables.example.test");

  it("say of everything what it means [completions.13.described]", () => {
    const kinds = Object.entries(Object.groupBy([...placesOf(content)], ({ kind }) => kind));
    expect(Object.fromEntries(kinds.map(([kind, places]) => [kind, (places ?? []).length > 0]))).toEqual({
      server: true,
      tag: true,
      schema: true,
      property: true,
      value: true,
      parameters: true,
      headers: true,
      responses: true,
      securitySchemes: true,
      operation: true,
      body: true,
      parameter: true,
    });
    expect(undescribed(content)).toEqual([]);
  });

  it("are all of something that is there", () => {
    const text = JSON.stringify(content);
    const { schemas, fields, parameters, values } = words;
    const sentences = [
      schemas,
      ...Object.values(fields),
      ...Object.values(parameters),
      ...Object.values(values),
    ].flatMap((one) => Object.values(one));
    expect(sentences.filter((sentence) => !text.includes(JSON.stringify(sentence).slice(1, -1)))).toEqual([]);
  });
});

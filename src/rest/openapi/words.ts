import type { JsonSchema as Schema } from "../../core/kernel/json-schema.ts";
import { MEANINGS } from "./errors.ts";
import words from "./words.json" with { type: "json" };

/** Sentences by where they belong: `Payment.customer.name`, or `*.name` wherever no other is given. */
type Sentences = ReadonlyMap<string, string>;

/** Several places of one line share what it says. */
function byPlace(groups: Readonly<Record<string, Readonly<Record<string, string>>>>): Sentences {
  return new Map(
    Object.entries(groups).flatMap(([places, sentences]) =>
      places
        .split(" ")
        .flatMap((place) =>
          Object.entries(sentences).map(([name, sentence]) => [`${place}.${name}`, sentence] as const),
        ),
    ),
  );
}

const SCHEMAS: Readonly<Record<string, string>> = words.schemas;
const FIELDS = byPlace(words.fields);
const PARAMETERS = byPlace(words.parameters);
const VALUES: readonly Readonly<Record<string, string>>[] = [...words.values, MEANINGS];

/** The sentence of the narrowest place: of `[A, b, c]` that of `A.b.c`, else of `b.c`, else of `*.c`. */
function sentenceOf(sentences: Sentences, path: readonly string[]): string | undefined {
  const own = path.slice(0, -1).map((_, at) => path.slice(at).join("."));
  return [...own, `*.${path.at(-1)}`].map((place) => sentences.get(place)).find((sentence) => sentence !== undefined);
}

/** A list of what the values of an enum mean, by the smallest set of words that has all of them. */
function meaningsOf(values: readonly unknown[]): string | undefined {
  const texts = values.filter((value) => typeof value === "string");
  const [meanings] = VALUES.filter((known) => texts.every((value) => value in known)).sort(
    (a, b) => Object.keys(a).length - Object.keys(b).length,
  );
  return meanings && texts.map((value) => `- \`${value}\`: ${meanings[value]}`).join("\n");
}

/** A schema with `sentence`, or else its own, and what the values of enums in it mean. `path` is its place. */
function withWords(schema: Schema, path: readonly string[], sentence: string | undefined): Schema {
  const { enum: values, properties, items, anyOf } = schema;
  const description = [sentence ?? schema.description, values && meaningsOf(values)].filter(Boolean).join("\n\n");
  return {
    ...schema,
    ...(description === "" ? {} : { description }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => {
          const own = [...path, name];
          return [name, withWords(member, own, sentenceOf(FIELDS, own))];
        }),
      ),
    }),
    ...(items && { items: withWords(items, path, undefined) }),
    ...(anyOf && { anyOf: anyOf.map((member) => withWords(member, path, undefined)) }),
  };
}

/** The named schemas, described for people: tools pay for each word, so they have shorter ones from the declarations. */
export function describeSchemas(schemas: Readonly<Record<string, Schema>>): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, withWords(schema, [name], SCHEMAS[name])]),
  );
}

/** The parameter `name` of an operation, described for people. */
export function describeParameter(operationId: string, name: string, schema: Schema): Schema {
  return withWords(schema, [], sentenceOf(PARAMETERS, [operationId, name]));
}

import type { JsonSchema } from "../../core/kernel/json-schema.ts";
import { MEANINGS } from "./errors.ts";
import words from "./words.json" with { type: "json" };

type Sentences = Readonly<Record<string, string>>;

/** Sentences by place and name, as `Payment.amount`; several places of one line share what it says. */
function byPlace(groups: Readonly<Record<string, Sentences>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(groups).flatMap(([places, sentences]) =>
      places.split(" ").flatMap((place) => Object.entries(sentences).map(([name, text]) => [`${place}.${name}`, text])),
    ),
  );
}

const SCHEMAS: Sentences = words.schemas;
const FIELDS = byPlace(words.fields);
const PARAMETERS = byPlace(words.parameters);
const VALUES = byPlace({ ...words.values, ErrorCode: MEANINGS });

/** What a name means in its place, else wherever no place says more. */
function sentenceOf(sentences: ReadonlyMap<string, string>, place: string, name: string) {
  return sentences.get(`${place}.${name}`) ?? sentences.get(`*.${name}`);
}

/** In the description's own words, else those of the declaration; tools pay for each word, so theirs are shorter. */
function inWords(schema: JsonSchema, ...words: (string | undefined)[]) {
  const text = words.filter((one) => one !== undefined).join("\n\n");
  return text === "" ? schema : { ...schema, description: text };
}

/** What a body of the named schema is. */
export function schemaInWords(name: string) {
  return SCHEMAS[name];
}

/** A named schema with what it is, and what each of its fields or values means. */
export function describeSchema(name: string, schema: JsonSchema): JsonSchema {
  const { enum: values = [], properties } = schema;
  const list = values.map((value) => `- \`${value}\`: ${VALUES.get(`${name}.${value}`)}`);
  const described = inWords(schema, SCHEMAS[name], list.length === 0 ? undefined : list.join("\n"));
  if (properties === undefined) return described;
  const fields = Object.entries(properties).map(([field, member]) => [
    field,
    inWords(member, sentenceOf(FIELDS, name, field)),
  ]);
  return { ...described, properties: Object.fromEntries(fields) };
}

/** The parameter `name` of an operation with what it asks for. */
export function describeParameter(operationId: string, name: string, schema: JsonSchema) {
  return inWords(schema, sentenceOf(PARAMETERS, operationId, name));
}

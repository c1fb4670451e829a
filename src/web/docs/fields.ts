import type { JsonSchema } from "../../core/kernel/json-schema.ts";
import { type Html, html } from "../kit/html.ts";
import { type Description, resolve, type ShownParameter } from "./description.ts";
import { prose } from "./markdown.ts";

type Schemas = Description["components"]["schemas"];

/** Deeper than any answer: a schema that holds itself ends here. */
const MAX_DEPTH = 8;

interface Shape {
  /** Without null. */
  readonly schema: JsonSchema;
  readonly isNullable: boolean;
}

/** A schema with its references followed and null taken out of it; variants are in `anyOf`. */
function shapeOf(given: JsonSchema, schemas: Schemas): Shape {
  const { anyOf, oneOf, ...schema } = resolve(given, schemas);
  const variants = anyOf ?? oneOf;
  if (variants === undefined) {
    const type = [schema.type ?? []].flat().filter((one) => one !== "null");
    return { schema: { ...schema, type }, isNullable: type.length < [schema.type ?? []].flat().length };
  }
  const values = variants.filter(({ type }) => type !== "null");
  const [only] = values;
  const isNullable = values.length < variants.length;
  if (only === undefined || values.length > 1) return { schema: { ...schema, anyOf: values }, isNullable };
  return { schema: { ...shapeOf(only, schemas).schema, ...schema }, isNullable };
}

function rangeWords(least: number | undefined, most: number | undefined, of = ""): string[] {
  const isOpen = most === undefined || most >= Number.MAX_SAFE_INTEGER;
  if (least === undefined && isOpen) return [];
  if (isOpen) return least === 0 || (least ?? 0) < -1e9 ? [] : [`at least ${least}${of}`];
  return [least === most ? `${most}${of}` : `${least ?? 0} to ${most}${of}`];
}

/** A type in words, such as `list of objects, 1 to 12` or `date or null`. */
function typeWords(given: JsonSchema, schemas: Schemas): string {
  const { schema, isNullable } = shapeOf(given, schemas);
  const { type, format, items, anyOf } = schema;
  const plain = format === undefined || format === "int64" ? type : format;
  const name =
    anyOf !== undefined
      ? [...new Set(anyOf.map((one) => typeWords(one, schemas)))].join(" or ")
      : items !== undefined
        ? `list of ${typeWords(items, schemas)}`
        : [plain ?? []].flat().join(" or ") || "any value";
  const ranges = [
    ...rangeWords(schema.minimum, schema.maximum),
    ...(format === undefined ? rangeWords(schema.minLength, schema.maxLength, " characters") : []),
    ...rangeWords(schema.minItems, schema.maxItems, " items"),
  ];
  return [isNullable ? `${name} or null` : name, ...ranges].join(", ");
}

/** The enum that a schema, its list or one of its variants is, with the words of the enum itself; null for others. */
function enumOf({ $ref, ...given }: JsonSchema, schemas: Schemas): JsonSchema | null {
  const own = $ref === undefined ? given : resolve<JsonSchema>({ $ref }, schemas);
  if (own.enum !== undefined) return own;
  const inside = own.items ?? own.anyOf?.find(({ type }) => type !== "null");
  return inside === undefined ? null : enumOf(inside, schemas);
}

/** The values of an enum; what each means is folded, where it is said as a list below the first words. */
function valuesView({ enum: values = [], description = "" }: JsonSchema): Html {
  const codes = values.filter((value) => value !== null).map((value) => html`<code>${String(value)}</code> `);
  const [, ...meanings] = description.split("\n\n");
  if (meanings.length === 0) return html`<div class="values">${codes}</div>`;
  return html`<details class="values"><summary>${codes}</summary>${prose(meanings.join("\n\n"))}</details>`;
}

const linkTo = (id: string, name: string): Html => html`<a id="${id}" href="#${id}"><code>${name}</code></a>`;

function field(
  name: Html,
  schema: JsonSchema,
  { note, description, below }: Record<"note" | "description", string> & { below: Html | null },
  schemas: Schemas,
): Html {
  const values = enumOf(schema, schemas);
  const usual = shapeOf(schema, schemas).schema.default;
  return html`<li>${name} <span class="type">${typeWords(schema, schemas)}</span>\
${note !== "" && html` <strong class="note">${note}</strong>`}\
${description !== "" && html`<div>${prose(description)}</div>`}\
${values && valuesView(values)}\
${usual !== undefined && html`<div class="quiet">Default <code>${String(usual)}</code></div>`}${below}</li>`;
}

interface Listed {
  readonly isRequest: boolean;
  /** What the addresses of the fields begin with. */
  readonly place: string;
  readonly depth?: number;
}

/** The fields of an object, of each in a list, or of each variant; null where there are no fields. */
export function fieldList(given: JsonSchema, schemas: Schemas, listed: Listed): Html | null {
  const { schema } = shapeOf(given, schemas);
  const { isRequest, place, depth = 0 } = listed;
  if (depth > MAX_DEPTH) return null;
  if (schema.items !== undefined) return fieldList(schema.items, schemas, listed);
  if (schema.anyOf !== undefined) {
    const lists = schema.anyOf.flatMap(
      (one, index) => fieldList(one, schemas, { isRequest, place: `${place}.${index + 1}`, depth: depth + 1 }) ?? [],
    );
    return lists.length === 0
      ? null
      : html`${lists.map((list, index) => html`${index > 0 && html`<p class="quiet">or</p>`}${list}`)}`;
  }
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) return null;
  const rows = properties.map(([name, property]) => {
    const isSure = schema.required?.includes(name) ?? false;
    const note = isRequest ? (isSure ? "required" : "") : isSure ? "" : "may be absent";
    const description = shapeOf(property, schemas).schema.description ?? "";
    const id = `${place}.${name}`;
    const below = fieldList(property, schemas, { isRequest, place: id, depth: depth + 1 });
    return field(linkTo(id, name), property, { note, description, below }, schemas);
  });
  return html`<ul class="fields">${rows}</ul>`;
}

/** The parameters of an operation, required ones first; each has an address of its own, made of the operation's. */
export function parameterList(parameters: readonly ShownParameter[], schemas: Schemas, operationId: string): Html {
  const sorted = [...parameters.filter(({ required }) => required), ...parameters.filter(({ required }) => !required)];
  const rows = sorted.map(({ name, in: place, required = false, description = "", schema }) => {
    const id = `${operationId}.${name}`;
    const where = place !== "query" && html` <span class="type">in the ${place},</span>`;
    return field(
      html`${linkTo(id, name)}${where}`,
      schema,
      { note: required ? "required" : "", description, below: null },
      schemas,
    );
  });
  return html`<ul class="fields">${rows}</ul>`;
}

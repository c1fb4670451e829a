import { z } from "zod";
import { plainSchema, schemaOfInput } from "../core/kernel/json-schema.ts";
import { inOurWords } from "../core/kernel/validation-messages.ts";
import { Uuid } from "../core/kernel/wire-types.ts";
import { FIELDS, OnOff, Removable, SecretLine, type Typed, WholeNumber } from "./fields.ts";

/** One option of a command: a field of its operation's input, or one of its own. */
export type Option = NonNullable<ReturnType<typeof optionOf>>;

/** `pull-from` for `pullFrom` and `pull_from`. */
const dashed = (name: string) => name.replace(/_|(?=[A-Z])/g, "-").toLowerCase();
const inWords = (name: string) => dashed(name).replaceAll("-", " ");

/** Fields by name, each with the schema of what an operation or a command takes. */
export type Shape = Readonly<Record<string, z.ZodType>>;

/** The options of fields: of those that are described, or typed as `given` says; others are left to other faces. */
export const optionsOf = (shape: Shape, given: { readonly [field: string]: Typed | undefined } = {}) =>
  Object.entries(shape).flatMap(([field, schema]) => optionOf(field, schema, given[field]) ?? []);

function optionOf(field: string, schema: z.ZodType, asTyped = FIELDS[field]) {
  const known = knownOf(field, schema);
  if (asTyped === undefined && known.about === undefined) return null;
  const [typed, about = known.about ?? "", read] = typeof asTyped === "object" ? asTyped : [asTyped ?? known.value];
  const [, flag = known.flag, value = ""] = /^(--[a-z-]+)?\s*(.*)$/.exec(typed) ?? [];
  const isStdin = flag.endsWith("-stdin");
  const text = about.includes('""') ? Removable : known.read;
  const given = read ?? (isStdin ? SecretLine : value === "" ? schema : text);
  const reading = schema.safeParse(undefined).success ? given.optional() : given;
  return {
    field,
    /** `--pull-from`, `--password-stdin`. */
    flag,
    /** The placeholder of its value in the help; empty for a switch. */
    value,
    about,
    /** Its value is read from standard input, which keeps secrets out of process lists: the prompt of each line. */
    prompts: isStdin ? known.parts.map(inWords) : null,
    /** Reads what was typed. */
    schema: checkedBy(reading, schema),
    isRequired: !reading.safeParse(undefined).success,
    isRepeatable: reading.safeParse([]).success,
  };
}

/** What the JSON Schema of a field says of its option: flag, placeholder, what it is, and how its text is read. */
function knownOf(field: string, schema: z.ZodType) {
  const json = plainSchema(schemaOfInput(schema));
  const { type, format = "", enum: choices, default: usual, description, properties = { [field]: json } } = json;
  const [form = ""] = [type].flat();
  const name = dashed(format === "uuid" ? field.replace(/(?<=.)_?id$/i, "") : field);
  const values: Record<string, string> = {
    boolean: usual === false ? "" : "on|off",
    integer: "N",
    date: "DATE",
    uuid: "ID",
    uri: "URL",
  };
  return {
    flag: `--${name}`,
    about: description === Uuid.description ? undefined : description,
    value: choices?.join("|") ?? values[format] ?? values[form] ?? name.replace(/.*-/, "").toUpperCase(),
    read: { boolean: OnOff, integer: WholeNumber, array: z.array(z.string()) }[form] ?? z.string(),
    parts: Object.keys(properties),
  };
}

/** What is read has the faults that the field would have. */
const checkedBy = (read: z.ZodType, schema: z.ZodType) =>
  read.transform((value, context) => {
    const faults = value === undefined ? [] : (schema.safeParse(value, { error: inOurWords }).error?.issues ?? []);
    for (const { path, message } of faults) context.addIssue({ code: "custom", path, message });
    return value;
  });

/**
 * The option that a field at fault came from, in words without one: `--installment` for `installments[0].amount`,
 * `--secret-key-stdin` for the `webhookSecret` that it reads too.
 */
export function optionNamed(options: readonly Option[], field: string) {
  const names = field
    .split(/[[\].]+/)
    .filter((part) => /^[a-z]/i.test(part))
    .map(inWords);
  const found = names.map((name) => options.find((one) => inWords(one.field) === name || one.prompts?.includes(name)));
  return found.find((option) => option !== undefined)?.flag ?? `the ${names.at(-1) ?? field}`;
}

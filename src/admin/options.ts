import { z } from "zod";
import { plainSchema, schemaOfInput } from "../core/kernel/json-schema.ts";
import { inOurWords } from "../core/kernel/validation-messages.ts";
import { Uuid } from "../core/kernel/wire-types.ts";

/** One option of a command: a field of its operation's input, or one of its own. */
export interface Option {
  /** `--pull-from`, `--password-stdin`. */
  readonly flag: string;
  /** Its name in a request. */
  readonly field: string;
  /** The placeholder of its value in the help; empty for a switch. */
  readonly value: string;
  readonly about: string;
  /** Its value is read from standard input, which keeps secrets out of process lists: the prompt of each line. */
  readonly prompts: readonly string[] | null;
  /** Reads what was typed. */
  readonly schema: z.ZodType;
  readonly isRequired: boolean;
  readonly isRepeatable: boolean;
}

/**
 * How an option is typed (`--user NAME`, `--password-stdin`, `--yes`, empty for a switch; without a flag its name makes one: `DATE`);
 * then, where the field's schema does not say it: what it is, how its text is read, and the prompts of several lines.
 */
export type Typed =
  | string
  | readonly [typed: string, about?: string | undefined, read?: z.ZodType | undefined, prompts?: readonly string[]];

/** A switch of a command's own. */
export const toggle = (about: string) => z.boolean().default(false).describe(about);

/** A text that is taken away by an empty one: where the help says so, for a variable of a shell may be empty by mistake. */
const Removable = z.string().transform((text) => (text === "" ? null : text));

/** `on` or `off`. */
export const OnOff = z.enum(["on", "off"], "must be on or off").transform((text) => text === "on");

const WholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, "must be a whole number")
  .transform(Number);

/** One line from standard input, without its end. */
const SecretLine = z
  .string()
  .transform((text) => text.replace(/\r?\n$/, ""))
  .pipe(
    z
      .string()
      .min(1, "is empty")
      .regex(/^[^\r\n]*$/, "must be one line"),
  );

/** `pull-from` for `pullFrom` and `pull_from`. */
const dashed = (name: string): string => name.replace(/_|(?=[A-Z])/g, "-").toLowerCase();

/** Fields by name, each with the schema of what an operation or a command takes. */
export type Shape = Readonly<Record<string, z.ZodType>>;

/** The options of fields: of those that are described, or typed as `given` says; others are left to other faces. */
export function optionsOf(shape: Shape, given: { readonly [field: string]: Typed | undefined } = {}): Option[] {
  return Object.entries(shape).flatMap(([field, schema]) => optionOf(field, schema, given[field]) ?? []);
}

function optionOf(field: string, schema: z.ZodType, given: Typed | undefined): Option | null {
  const known = knownOf(field, schema);
  if (given === undefined && known.about === undefined) return null;
  const [typed, about = known.about ?? "", read, prompts = [field]] =
    typeof given === "object" ? given : [given ?? known.value];
  const [, flag = known.flag, value = ""] = /^(--[a-z-]+)?\s*(.*)$/.exec(typed) ?? [];
  const isStdin = flag.endsWith("-stdin");
  const text = about.includes('""') ? Removable : known.read;
  const plain = isStdin ? SecretLine : value === "" ? schema : text;
  const reading = read ?? (schema.safeParse(undefined).success ? plain.optional() : plain);
  return {
    ...{ flag, field, value, about },
    prompts: isStdin ? prompts : null,
    schema: checkedBy(reading, schema),
    isRequired: !reading.safeParse(undefined).success,
    isRepeatable: isList(reading),
  };
}

/** What the JSON Schema of a field says of its option: flag, placeholder, what it is, and how its text is read. */
function knownOf(field: string, schema: z.ZodType) {
  const { type, format, enum: words = [], default: usual, description } = plainSchema(schemaOfInput(schema));
  const isOf = (name: string): boolean => [type].flat().includes(name);
  const name = dashed(format === "uuid" ? field.replace(/(?<=.)_?id$/i, "") : field);
  const value = { date: "DATE", uuid: "ID" }[format ?? ""] ?? (name.split("-").at(-1) ?? "").toUpperCase();
  const known = { flag: `--${name}`, about: description === Uuid.description ? undefined : description, value };
  if (isOf("boolean")) return { ...known, read: OnOff, value: usual === false ? "" : "on|off" };
  if (isOf("integer")) return { ...known, read: WholeNumber, value: "N" };
  if (isOf("array")) return { ...known, read: z.array(z.string()) };
  if (isOf("null") || words.length === 0) return { ...known, read: z.string() };
  const names = words.map(String);
  return { ...known, read: z.enum(names, `must be ${names.join(" or ")}`), value: names.join("|") };
}

/** What is read has the faults that the field would have. */
const checkedBy = (read: z.ZodType, schema: z.ZodType): z.ZodType =>
  read.transform((value, context) => {
    const faults = value === undefined ? [] : (schema.safeParse(value, { error: inOurWords }).error?.issues ?? []);
    for (const { path, message } of faults) context.addIssue({ code: "custom", path, message });
    return value;
  });

const isList = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? isList(schema.unwrap())
    : schema instanceof z.ZodArray;

/**
 * The option that a field at fault came from, in words without one: `--installment` for `installments[0].amount`,
 * `--secret-key-stdin` for the `webhookSecret` that it reads too.
 */
export function optionNamed(options: readonly Option[], field: string): string {
  const names = field.split(/[[\].]+/).filter((part) => /^[a-z]/i.test(part));
  for (const name of names) {
    const asked = dashed(name);
    const found = options.find(
      ({ field, prompts }) => dashed(field) === asked || prompts?.includes(asked.replaceAll("-", " ")),
    );
    if (found !== undefined) return found.flag;
  }
  return `the ${dashed(names.at(-1) ?? field).replaceAll("-", " ")}`;
}

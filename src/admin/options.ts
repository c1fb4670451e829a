import { z } from "zod";
import { inOurWords } from "../core/kernel/validation-messages.ts";
import { Uuid } from "../core/kernel/wire-types.ts";

/** One option of a command. */
export interface Option {
  /** `--pull-from`, `--password-stdin`. */
  readonly flag: string;
  /** Its name in a request: `pull-from`, `password`. */
  readonly key: string;
  /** The operation's field, or the name of an option of the command's own. */
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

/** An option of a command's own. */
export type Own<S extends z.ZodType = z.ZodType> = readonly [typed: string, about: string, read: S];

export const own = <S extends z.ZodType>(typed: string, about: string, read: S): Own<S> => [typed, about, read];

/** A text that is taken away by an empty one: where the help says so, for a variable of a shell may be empty by mistake. */
export const Removable = z.string().transform((text) => (text === "" ? null : text));

/** A switch of a command's own. */
export const toggle = (about: string) => own("", about, z.boolean().default(false));

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

/** What the JSON Schema of a field says of its option: how its text is read, its placeholder, and what it is; null for nothing. */
function knownOf(field: string, schema: z.ZodType): { read: z.ZodType; value: string; about: string | null } {
  const whole = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const forms = [whole, ...(whole.anyOf ?? [])].filter((form) => typeof form === "object");
  const has = (type: string) => forms.some((form) => [form.type].flat().some((one) => one === type));
  const words = forms.flatMap((form) => form.enum ?? []).map(String);
  const about =
    forms.find(({ description = Uuid.description }) => description !== Uuid.description)?.description ?? null;
  const last = (dashed(field).split("-").at(-1) ?? "").toUpperCase();
  const value = forms.some(({ format }) => format === "date") ? "DATE" : last;
  if (has("boolean")) return { read: OnOff, value: "on|off", about };
  if (has("integer")) return { read: WholeNumber, value: "N", about };
  if (has("array")) return { read: z.array(z.string()), value, about };
  if (has("null")) return { read: z.string(), value, about };
  if (words.length > 0) return { read: z.enum(words, `must be ${words.join(" or ")}`), value: words.join("|"), about };
  return { read: z.string(), value: whole.format === "uuid" ? "ID" : value, about };
}

/** The options of an operation's fields: of those that are described, or typed as `given` says; others are left to other faces. */
export function optionsOf(
  shape: Readonly<Record<string, z.ZodType>>,
  given: Readonly<Record<string, Typed | undefined>>,
) {
  return Object.entries(shape).flatMap(([field, schema]) => {
    const known = knownOf(field, schema);
    const typed = given[field];
    return typed === undefined && known.about === null
      ? []
      : [optionOf(field, typed ?? known.value, { schema, ...known })];
  });
}

interface Field {
  readonly schema: z.ZodType;
  readonly read: z.ZodType;
  readonly about: string | null;
}

/** One option; without a field of an operation, of the command's own. */
export function optionOf(field: string, given: Typed, known?: Field): Option {
  const [typed, about = known?.about ?? "", read, prompts = [field]] = typeof given === "string" ? [given] : given;
  const [, flag = `--${dashed(field)}`, value = ""] = /^(--[a-z-]+)?\s*(.*)$/.exec(typed) ?? [];
  const isStdin = flag.endsWith("-stdin");
  const plain = isStdin ? SecretLine : value === "" ? z.boolean() : (known?.read ?? z.string());
  const reading = read ?? (known?.schema.safeParse(undefined).success ? plain.optional() : plain);
  return {
    flag,
    key: flag.slice(2).replace(/-stdin$/, ""),
    field,
    value,
    about,
    prompts: isStdin ? prompts : null,
    schema: known === undefined ? reading : checkedBy(reading, known.schema),
    isRequired: !reading.safeParse(undefined).success,
    isRepeatable: isList(reading),
  };
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
    const asked = dashed(name).replaceAll("-", " ");
    const found = options.find((one) => one.field === name || one.key === name || one.prompts?.includes(asked));
    if (found !== undefined) return found.flag;
  }
  return `the ${dashed(names.at(-1) ?? field).replaceAll("-", " ")}`;
}

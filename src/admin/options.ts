import { z } from "zod";
import { inOurWords } from "../core/kernel/validation-messages.ts";

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
 * How an option is typed (`--user NAME`, `--password-stdin`, `--yes`; without a flag its name makes one: `DATE`), what the help says
 * of it, how its text is read where the field's type does not say it, and the prompts of several lines.
 */
export type Typed<S extends z.ZodType = z.ZodType> = readonly [
  typed: string,
  about: string,
  read?: S | undefined,
  prompts?: readonly string[],
];

/** An option of a command's own. */
export type Own<S extends z.ZodType = z.ZodType> = readonly [typed: string, about: string, read: S];

export const own = <S extends z.ZodType>(typed: string, about: string, read: S): Own<S> => [typed, about, read];

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

/** How the text of an option becomes the value of a field, and its placeholder, by the field's JSON Schema. */
function readingOf(field: string, schema: z.ZodType): { read: z.ZodType; value: string } {
  const whole = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const forms = [whole, ...(whole.anyOf ?? [])].filter((form) => typeof form === "object");
  const has = (type: string) => forms.some((form) => [form.type].flat().some((one) => one === type));
  const words = forms.flatMap((form) => form.enum ?? []).map(String);
  const isDate = forms.some(({ format }) => format === "date");
  const value = isDate ? "DATE" : (dashed(field).split("-").at(-1) ?? "").toUpperCase();
  if (has("boolean")) return { read: OnOff, value: "on|off" };
  if (has("integer")) return { read: WholeNumber, value: "N" };
  if (has("array")) return { read: z.array(z.string()), value };
  if (has("null")) return { read: z.string().transform((text) => (text === "" ? null : text)), value };
  if (words.length > 0) return { read: z.enum(words, `must be ${words.join(" or ")}`), value: words.join("|") };
  return { read: z.string(), value: whole.format === "uuid" ? "ID" : value };
}

/** The option of a field; without the field's schema, of the command's own. */
export function optionOf(field: string, given: string | Typed, schema?: z.ZodType): Option {
  const known = schema === undefined ? { read: z.string(), value: "" } : readingOf(field, schema);
  const [typed, about, read, prompts = [field]] = typeof given === "string" ? [known.value, given] : given;
  const [, flag = `--${dashed(field)}`, value = ""] = /^(--[a-z-]+)?\s*(.*)$/.exec(typed) ?? [];
  const isStdin = flag.endsWith("-stdin");
  const plain = isStdin ? SecretLine : value === "" ? z.boolean() : known.read;
  const reading = read ?? (schema?.safeParse(undefined).success ? plain.optional() : plain);
  return {
    flag,
    key: flag.slice(2).replace(/-stdin$/, ""),
    field,
    value,
    about,
    prompts: isStdin ? prompts : null,
    schema: schema === undefined ? reading : checkedBy(reading, schema),
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

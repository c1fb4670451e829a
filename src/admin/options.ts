import { z } from "zod";
import { plainSchema, schemaOfInput } from "../core/kernel/json-schema.ts";
import { inOurWords } from "../core/kernel/validation-messages.ts";
import { Uuid } from "../core/kernel/wire-types.ts";

/** One option of a command: a field of its operation's input, or one of its own. */
export type Option = NonNullable<ReturnType<typeof optionOf>>;

/**
 * How an option is typed (`--user NAME`, `--password-stdin`, `--yes`, empty for a switch; without a flag its name makes one: `DATE`);
 * then, where the field's schema does not say it: what it is, and how its text is read.
 */
export type Typed = string | readonly [typed: string, about?: string | undefined, read?: z.ZodType];

/** How fields are typed, in every command that has them, where their name and schema do not say it. */
const USUAL: Readonly<Record<string, Typed>> = {
  workspace: "NAME",
  timezone: "ZONE",
  issuer: "URL",
  subject: "SUB",
  domains: "--domain DOMAIN",
  trustEmail: "on|off",
  locale: "LOCALE",
  postalAddress: "--address TEXT",
  replyTo: "EMAIL",
  contact: "TEXT",
  username: "--user NAME",
  receiptMethod: "NAME",
  intervalMinutes: "--interval MINUTES",
  paymentPushMode: "--push-mode automatic|held",
  receiptNumber: "N",
  currency: "CODE",
  reference: "TEXT",
  assignee: "EMAIL",
  sendAt: "HH:MM",
};

/** A switch of a command's own. */
export const toggle = (about: string) => z.boolean().default(false).describe(about);

/** A switch for a field that is `off`, or `on` where it is given. */
export const switchFrom = (off: unknown, on: unknown) =>
  z
    .boolean()
    .default(false)
    .transform((isOn) => (isOn ? on : off));

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
const dashed = (name: string) => name.replace(/_|(?=[A-Z])/g, "-").toLowerCase();
const inWords = (name: string) => dashed(name).replaceAll("-", " ");

/** Fields by name, each with the schema of what an operation or a command takes. */
export type Shape = Readonly<Record<string, z.ZodType>>;

/** The options of fields: of those that are described, or typed as `given` says; others are left to other faces. */
export const optionsOf = (shape: Shape, given: { readonly [field: string]: Typed | undefined } = {}) =>
  Object.entries(shape).flatMap(([field, schema]) => optionOf(field, schema, given[field]) ?? []);

function optionOf(field: string, schema: z.ZodType, given = USUAL[field]) {
  const known = knownOf(field, schema);
  if (given === undefined && known.about === undefined) return null;
  const [typed, about = known.about ?? "", read] = typeof given === "object" ? given : [given ?? known.value];
  const [, flag = known.flag, value = ""] = /^(--[a-z-]+)?\s*(.*)$/.exec(typed) ?? [];
  const isStdin = flag.endsWith("-stdin");
  const text = about.includes('""') ? Removable : known.read;
  const plain = isStdin ? SecretLine : value === "" ? schema : text;
  const reading = read ?? (schema.safeParse(undefined).success ? plain.optional() : plain);
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

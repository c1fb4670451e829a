import { Decimal } from "decimal.js";
import { z } from "zod";
import { plainLine } from "../../outside-error.ts";
import { ErpError, VALUE_PROBLEMS, type ValueFault, type ValueProblem } from "../gateway.ts";
import { notTheErp, unusable } from "./errors.ts";

// Room enough for any sum of amounts within the bounds below: decimal.js rounds to its precision when it adds.
const Exact = Decimal.clone({ precision: 200 });

/** What is plain already, and within the bounds below. */
const PLAIN = /^(?:0|-?(?:[1-9]\d{0,29}(?:\.\d{0,19}[1-9])?|0\.\d{0,19}[1-9]))$/;
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
const MAX_LENGTH = 80;
const MAX_WHOLE_DIGITS = 30;
const MAX_FRACTION_DIGITS = 20;

/** A JSON number (`1250.50`, `1E+2`) as a plain decimal (`1250.5`, `100`); undefined if longer than any amount. */
export function plainDecimal(text: string) {
  if (PLAIN.test(text)) return text;
  if (text.length > MAX_LENGTH || !NUMBER.test(text)) return undefined;
  const value = new Exact(text);
  if (value.isZero()) return "0";
  if (value.decimalPlaces() > MAX_FRACTION_DIGITS || value.e >= MAX_WHOLE_DIGITS) return undefined;
  return value.toFixed();
}

/** The exact sum of plain decimals. */
export function sumOf(amounts: readonly string[]) {
  if (amounts.length === 1 && amounts[0] !== undefined) return amounts[0];
  const sum = amounts.reduce((total, amount) => total.plus(amount), new Exact(0));
  return sum.isZero() ? "0" : sum.toFixed();
}

/** The greatest of Fusion's ids: they are whole numbers of 64 bits. */
const GREATEST_ID = "9223372036854775807";

export const isId = (digits: string) =>
  /^(?:0|[1-9]\d{0,18})$/.test(digits) && (digits.length < GREATEST_ID.length || digits <= GREATEST_ID);

/** How an attribute of an item is read: undefined for a value that cannot be taken in. */
interface Attribute<T> {
  readonly problem: ValueProblem;
  read(value: unknown): T | undefined;
}

const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined;

/** Text that Oracle may leave out, or null. */
const optional = <T>(problem: ValueProblem, read: (text: string) => T | undefined): Attribute<T | null> => ({
  problem,
  read(value) {
    if (isAbsent(value)) return null;
    return typeof value === "string" ? read(value) : undefined;
  },
});

/** A Fusion id or null, as text. */
export const optionalId = optional("not_an_id", (digits) => (isId(digits) ? digits : undefined));

/** The same where it has to be. */
export const fusionId = { ...optionalId, read: (value: unknown) => optionalId.read(value) ?? undefined };

/** An amount as a plain decimal (number or string: Oracle sends both), or null. */
export const amount = optional("not_a_number", (value) => (value === "" ? null : plainDecimal(value)));

/** A calendar day or null; of a date-time, its day. */
export const date = optional("not_a_date", (value) => {
  if (value === "") return null;
  const day = /^[^T]*T\d\d:/.test(value) ? value.slice(0, value.indexOf("T")) : value;
  return z.regexes.date.test(day) ? day : undefined;
});

/** A small whole number or null. */
export const ordinal = optional("not_a_whole_number", (value) =>
  /^-?\d{1,9}$/.test(value) ? Number(value) : undefined,
);

/** Text, or null when missing or empty; without NUL and broken surrogates, which no database takes. */
export const text = (maxLength: number) =>
  optional("not_text", (value) => {
    const clean = shortened(value.replaceAll("\0", ""), maxLength).toWellFormed().trim();
    return clean === "" ? null : clean;
  });

/** The same with null for what is no text. */
export const anyText = (maxLength: number) => ({
  ...text(maxLength),
  read: (value: unknown) => text(maxLength).read(value) ?? null,
});

/** A yes/no that Oracle writes as text. */
export const flag: Attribute<boolean> = {
  problem: "not_a_flag",
  read(value) {
    if (isAbsent(value) || typeof value === "boolean") return value === true;
    return typeof value === "string" ? ["y", "yes", "true"].includes(value.trim().toLowerCase()) : undefined;
  },
};

/** Cut between characters, never inside one. */
function shortened(value: string, maxLength: number) {
  if (value.length <= maxLength) return value;
  const cut = value.slice(0, maxLength);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** A collection of any resource; its items are read one by one, so that an error can name the one. */
export const Collection = z.object({
  items: z.array(z.unknown()),
  hasMore: z.boolean().optional(),
});

/** Expanded children or null: a collection, before framework version 3 a bare array. */
export const children: Attribute<z.output<typeof Collection> | null> = {
  problem: "not_a_collection",
  read: (value) =>
    isAbsent(value) ? null : Collection.safeParse(Array.isArray(value) ? { items: value } : value).data,
};

/** What tells that a creation was answered with a receipt. */
export const CreatedReceipt = z.object({ StandardReceiptId: z.string().refine(isId) });

/** What an action answers. */
export const ActionResult = z.object({
  result: z
    .string()
    .nullable()
    .transform((said) => said?.slice(0, 1_000) || null),
});

/** Parses what an answer of the ERP must look like; throws an ErpError for anything else, which is not the ERP's. */
export function inForm<T>(form: z.ZodType<T>, answer: unknown) {
  const result = form.safeParse(answer);
  if (result.success) return result.data;
  throw notTheErp("JSON that is not the resource's");
}

/** An item of which one value cannot be taken in. */
export class UnreadableItem extends ErpError {
  readonly fault: ValueFault;

  constructor(fault: ValueFault, where: string) {
    const { kind, reason } = unusable(`${fault.field} of ${where} ${VALUE_PROBLEMS[fault.problem]}`);
    super(kind, reason);
    this.fault = fault;
  }
}

/**
 * Reads the attributes of an item, one in a step: a page has tens of thousands. Throws an UnreadableItem for one that cannot be
 * taken in, and an ErpError for no item at all.
 */
export function attributesOf(item: unknown, where: string) {
  if (typeof item !== "object" || item === null) throw unusable(`${where} has the wrong shape`);
  return <T>(field: string, { read, problem }: Attribute<T>): T => {
    const value: unknown = Reflect.get(item, field);
    const found = read(value);
    if (found !== undefined) return found;
    throw new UnreadableItem(
      { field, value: shownValue(value), problem: isAbsent(value) ? "missing" : problem },
      where,
    );
  };
}

/** Reads an item's attributes. */
export type Attributes = ReturnType<typeof attributesOf>;

const MAX_SHOWN = 100;

/** A value in one line, without what could be read as the end of a quotation. */
function shownValue(value: unknown) {
  if (isAbsent(value)) return null;
  const line = plainLine(typeof value === "string" ? value : JSON.stringify(value)).replace(/["“”]/g, "'");
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN).toWellFormed()}…` : line;
}

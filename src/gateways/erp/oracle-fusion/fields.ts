import { z } from "zod";
import { plainDecimal } from "./decimal.ts";

/** The greatest of Fusion's ids: they are whole numbers of 64 bits. */
const GREATEST_ID = "9223372036854775807";

const isId = (digits: string): boolean =>
  /^(?:0|[1-9]\d{0,18})$/.test(digits) && (digits.length < GREATEST_ID.length || digits <= GREATEST_ID);

/**
 * An attribute, read in one step and not by a pipe of them: a page holds tens of thousands of attributes, and each step of
 * each leaves its garbage. `read` answers undefined for what `problem` is said of.
 */
function attribute<T>(read: (value: unknown) => T | undefined, problem: (value: unknown) => string) {
  return z.transform((value: unknown, context): T => {
    const found = read(value);
    if (found !== undefined) return found;
    context.issues.push({ code: "custom", message: problem(value), input: value });
    return z.NEVER;
  });
}

const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined;

/** Text that Oracle may leave out, or null. */
function optional<T>(problem: string, read: (text: string) => T | null | undefined) {
  const readAny = (value: unknown): T | null | undefined => {
    if (isAbsent(value)) return null;
    return typeof value === "string" ? read(value) : undefined;
  };
  return attribute(readAny, () => problem);
}

/** A Fusion id, as text. */
export const FusionId = attribute(
  (value) => (typeof value === "string" && isId(value) ? value : undefined),
  (value) => (isAbsent(value) ? "is missing" : "is not an id"),
);

/** An optional {@link FusionId}; absent and null are the same. */
export const optionalId = optional("is not an id", (digits) => (isId(digits) ? digits : undefined));

/** An amount as a plain decimal (number or string: Oracle sends both), or null. */
export const amount = optional("is not a number", (value) => (value === "" ? null : plainDecimal(value)));

/** A calendar day or null; of a date-time, its day. */
export const date = optional("is not a date", (value) => {
  if (value === "") return null;
  const day = /^[^T]*T\d\d:/.test(value) ? value.slice(0, value.indexOf("T")) : value;
  return z.regexes.date.test(day) ? day : undefined;
});

/** A small whole number or null. */
export const ordinal = optional("is not a whole number", (value) =>
  /^-?\d{1,9}$/.test(value) ? Number(value) : undefined,
);

/** Text, or null when missing or empty; without NUL and broken surrogates, which no database takes. */
export const text = (maxLength: number) =>
  optional("is not text", (value) => {
    const clean = shortened(value.replaceAll("\0", ""), maxLength).toWellFormed().trim();
    return clean === "" ? null : clean;
  });

/** A yes/no that Oracle writes as text. */
export const flag = attribute(
  (value) => {
    if (isAbsent(value) || typeof value === "boolean") return value === true;
    return typeof value === "string" ? ["y", "yes", "true"].includes(value.trim().toLowerCase()) : undefined;
  },
  () => "is not a flag",
);

/** Cut between characters, never inside one. */
function shortened(value: string, maxLength: number): string {
  if (value.length <= maxLength) return value;
  const cut = value.slice(0, maxLength);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

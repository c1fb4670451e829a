import { z } from "zod";
import { plainDecimal } from "./decimal.ts";

/** The greatest of Fusion's ids: they are whole numbers of 64 bits. */
const GREATEST_ID = "9223372036854775807";

const isId = (digits: string): boolean =>
  /^(?:0|[1-9]\d{0,18})$/.test(digits) && (digits.length < GREATEST_ID.length || digits <= GREATEST_ID);

/** A Fusion id, as text. */
export const FusionId = z
  .string({ error: ({ input }) => (input === undefined || input === null ? "is missing" : "is not an id") })
  .refine(isId, "is not an id");

/**
 * An attribute that may be absent or null. One step and not a pipe of them: a page holds tens of thousands of attributes, and
 * each step of each leaves its garbage.
 */
function attribute<T>(message: string, read: (text: string) => T | null | undefined) {
  return z.transform((value: unknown, context): T | null => {
    if (value === null || value === undefined) return null;
    const found = typeof value === "string" ? read(value) : undefined;
    if (found !== undefined) return found;
    context.issues.push({ code: "custom", message, input: value });
    return z.NEVER;
  });
}

/** An optional {@link FusionId}; absent and null are the same. */
export const optionalId = attribute("is not an id", (digits) => (isId(digits) ? digits : undefined));

/** An amount as a plain decimal (number or string: Oracle sends both), or null. */
export const amount = attribute("is not a number", (value) => (value === "" ? null : plainDecimal(value)));

/** A calendar day or null; of a date-time, its day. */
export const date = attribute("is not a date", (value) => {
  if (value === "") return null;
  const day = /^[^T]*T\d\d:/.test(value) ? value.slice(0, value.indexOf("T")) : value;
  return z.regexes.date.test(day) ? day : undefined;
});

/** A small whole number or null. */
export const ordinal = attribute("is not a whole number", (value) =>
  /^-?\d{1,9}$/.test(value) ? Number(value) : undefined,
);

/** Text or null where there is none; NUL and broken surrogates, which no database takes, are left out. */
export const text = (maxLength: number) =>
  attribute("is not text", (value) => {
    const clean = shortened(value.replaceAll("\0", ""), maxLength).toWellFormed().trim();
    return clean === "" ? null : clean;
  });

/** A yes/no that Oracle writes as text. */
export const flag = z
  .union([z.boolean(), z.string()], "is not a flag")
  .nullish()
  .transform((value) => value === true || ["y", "yes", "true"].includes(String(value).trim().toLowerCase()));

/** Cut between characters, never inside one. */
function shortened(value: string, maxLength: number): string {
  if (value.length <= maxLength) return value;
  const cut = value.slice(0, maxLength);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

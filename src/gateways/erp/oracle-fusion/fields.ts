import { z } from "zod";
import { plainDecimal } from "./decimal.ts";

/** The greatest of Fusion's ids: they are whole numbers of 64 bits. */
const GREATEST_ID = "9223372036854775807";

/** A Fusion id, as text. */
export const FusionId = z
  .string({ error: ({ input }) => (input === undefined || input === null ? "is missing" : "is not an id") })
  .regex(/^(?:0|[1-9]\d{0,18})$/, "is not an id")
  .refine((digits) => digits.length < GREATEST_ID.length || digits <= GREATEST_ID, "is not an id");

/** An optional {@link FusionId}; absent and null are the same. */
export const optionalId = FusionId.nullish().transform((value) => value ?? null);

/** An amount as a plain decimal (number or string: Oracle sends both), or null. */
export const amount = z
  .string("is not a number")
  .nullish()
  .transform((value, context) => {
    if (value === null || value === undefined || value === "") return null;
    const decimal = plainDecimal(value);
    if (decimal !== undefined) return decimal;
    context.addIssue({ code: "custom", message: "is not a number" });
    return z.NEVER;
  });

/** A calendar day or null; of a date-time, its day. */
export const date = z
  .string("is not a date")
  .nullish()
  .transform((value, context) => {
    if (value === null || value === undefined || value === "") return null;
    const day = /^[^T]*T\d\d:/.test(value) ? value.slice(0, value.indexOf("T")) : value;
    if (z.regexes.date.test(day)) return day;
    context.addIssue({ code: "custom", message: "is not a date" });
    return z.NEVER;
  });

/** A small whole number or null. */
export const ordinal = z
  .string("is not a whole number")
  .regex(/^-?\d{1,9}$/, "is not a whole number")
  .nullish()
  .transform((value) => (value === null || value === undefined ? null : Number(value)));

/** Text or null where there is none; NUL and broken surrogates, which no database takes, are left out. */
export const text = (maxLength: number) =>
  z
    .string("is not text")
    .nullish()
    .transform((value) => {
      const clean = shortened((value ?? "").replaceAll("\0", ""), maxLength)
        .toWellFormed()
        .trim();
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

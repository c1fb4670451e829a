import { z } from "zod";
import { isPlainDate } from "./calendar.ts";
import { MONEY_PATTERN } from "./money.ts";
import { cleanText } from "./text.ts";
import { shown } from "./validation-messages.ts";

/**
 * Wire types (service.md §2, completions §4) whose description only says how their values are spelt. Tools leave it out, for their
 * instructions say it once.
 */
export const SPELLINGS = z.registry<Record<string, never>>();

/** The type with such a description. */
export function describeSpelling<Schema extends z.ZodType>(schema: Schema, description: string): Schema {
  const described = schema.describe(description);
  SPELLINGS.add(described, {});
  return described;
}

/** What the API's description calls schemas, wherever they stand; `form` is in place of what zod makes of one. */
export const NAMES = z.registry<{ id: string; form?: object }>();

/** Gives schemas the names that the API's description has them under, once each: every choice and every object of `/v1`. */
export function nameSchemas(schemas: Readonly<Record<string, z.ZodType>>) {
  for (const [name, schema] of Object.entries(schemas)) NAMES.add(schema, { id: name });
}

/** Objects of which a caller gives exactly one of these members; their operation checks it. */
export const EXACTLY_ONE = z.registry<{ of: readonly string[] }>();

/** Lists and choices that tools show by type only: their names say it, or they are described where they come from. */
export const SKETCHED = z.registry<Record<string, never>>();

export const Uuid = describeSpelling(z.guid().toLowerCase(), "UUID");
export const Instant = describeSpelling(z.iso.datetime({ offset: true }), "ISO 8601 instant");
/** An instant from a caller, with any offset; parsed into UTC with milliseconds, as the store keeps them. */
export const GivenInstant = describeSpelling(
  Instant.transform(inUtc).refine(isOfOurYears, "must be in the years 1 to 9999, in UTC"),
  "ISO 8601 instant",
);
/** A day that stands for the instant at which it starts in the workspace's timezone (completions §10). */
export interface DayStart {
  readonly day: string;
}
/** For filters by time: an instant as {@link GivenInstant} has it, or a plain date. `filterInstants` makes instants of both. */
export const InstantOrDay = z
  .stringFormat("instant_or_day", (text) => isPlainDate(text) || Instant.safeParse(text).success)
  .meta({ format: undefined })
  .transform((text): string | DayStart => (isPlainDate(text) ? { day: text } : inUtc(text)))
  .refine((given) => typeof given !== "string" || isOfOurYears(given), "must be in the years 1 to 9999, in UTC")
  .describe("Instant, or a day: its start in the workspace")
  .register(SPELLINGS, {})
  .register(NAMES, {
    id: "InstantOrDay",
    form: { anyOf: ["date-time", "date"].map((format) => ({ type: "string", format })) },
  });
/** Parsed filters, with an instant in the place of each day. */
export type InInstants<Filters> = { [Name in keyof Filters]: Exclude<Filters[Name], DayStart> };
export const PlainDate = z
  .string()
  .refine(isPlainDate, { error: notThis("must be a day that exists, written YYYY-MM-DD such as 2026-11-30") })
  .meta({ format: "date" });
export const MoneyString = describeSpelling(
  z.string().regex(MONEY_PATTERN, { error: notThis('must be an exact decimal such as "1250.50"') }),
  "Exact decimal in major units",
);
/** How many there are, or an amount in minor units that is never negative. */
export const Count = z.int().min(0);
export const CurrencyCode = describeSpelling(
  z.string().regex(/^[A-Z]{3}$/, { error: notThis("must be 3 upper-case letters (ISO 4217), such as EUR") }),
  "ISO 4217 code",
);

/** Text of one line, without what nobody sees; never empty. */
export const lineOf = (maxLength: number) =>
  z
    .string()
    .overwrite((text) => cleanText(text, 2 * maxLength) ?? "")
    .min(1, "must not be empty")
    .max(maxLength);

/** A number to be found exactly; it is cleaned as numbers are that are stored (completions §10). */
export const ExactNumber = z
  .string()
  .min(1)
  .max(100)
  .overwrite((text) => cleanText(text) ?? text)
  .describe("Exact match");

/** A filter of lists whose rows have an invoice. */
export const Search = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .describe("Literal part of invoice number, customer name or number");

function inUtc(text: string) {
  return new Date(text).toISOString();
}

function isOfOurYears(instant: string) {
  return isPlainDate(instant.split("T")[0] ?? "");
}

/** What would be right, and what was given instead; for values that are no secrets. */
export function notThis(right: string): (issue: { readonly input: unknown }) => string {
  return ({ input }) => `${right}, not ${shown(input)}`;
}

import { z } from "zod";
import { type ErrorDetail, ServiceError } from "../gate/error.ts";
import type { Steering } from "../gate/steering.ts";
import { isPlainDate } from "./calendar.ts";
import { inOurWords, inOurWordsOfAQuery, shown, unknownFieldWords } from "./issue-words.ts";
import { MONEY_PATTERN } from "./money.ts";
import { cleanText } from "./text.ts";

/**
 * Schemas whose description says how values of the kind are spelt, or no more than the field's name: tools leave it out, for
 * their instructions say it once. They and those below are the wire types (service.md §2, completions §4).
 */
export const SPELLINGS = z.registry<Record<string, never>>();

export const Uuid = z.guid().toLowerCase().describe("UUID").register(SPELLINGS, {});
export const Instant = z.iso.datetime({ offset: true }).describe("ISO 8601 instant").register(SPELLINGS, {});
/** An instant from a caller, with any offset; parsed into UTC with milliseconds, as the store keeps them. */
export const GivenInstant = Instant.transform(inUtc)
  .refine(isOfOurYears, "must be in the years 1 to 9999, in UTC")
  .describe("ISO 8601 instant")
  .register(SPELLINGS, {});
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
  .register(SPELLINGS, {});
/** Parsed filters, with an instant in the place of each day. */
export type InInstants<Filters> = { [Name in keyof Filters]: Exclude<Filters[Name], DayStart> };
export const PlainDate = z
  .string()
  .refine(isPlainDate, { error: notThis("must be a day that exists, written YYYY-MM-DD such as 2026-11-30") })
  .meta({ format: "date" });
export const MoneyString = z
  .string()
  .regex(MONEY_PATTERN, { error: notThis('must be an exact decimal such as "1250.50"') })
  .describe("Exact decimal in major units")
  .register(SPELLINGS, {});
export const CurrencyCode = z
  .string()
  .regex(/^[A-Z]{3}$/, { error: notThis("must be 3 upper-case letters (ISO 4217), such as EUR") })
  .describe("ISO 4217 code")
  .register(SPELLINGS, {});

/** Refuses a range that ends before it begins, or with it: its end is exclusive. Throws `validation_failed` for both ends. */
export function assertInOrder<Field extends string>(
  given: { readonly [Name in Field]?: string | undefined },
  since: Field,
  before: Field,
): void {
  const [from, to] = [given[since], given[before]];
  if (from === undefined || to === undefined || from < to) return;
  throw validationFailed([
    { field: since, message: `must be before \`${before}\`, which is ${to}` },
    {
      field: before,
      message: `must be after \`${since}\`, which is ${from}; it is exclusive: end a day with the next`,
    },
  ]);
}

/** Text to be found literally; the one character no stored text can hold is refused. */
export const FilterText = z.string().refine((text) => !text.includes("\0"), "must not hold a NUL character");

function inUtc(text: string): string {
  return new Date(text).toISOString();
}

function isOfOurYears(instant: string): boolean {
  return isPlainDate(instant.split("T")[0] ?? "");
}

/** What would be right, and what was given instead; for values that are no secrets. */
export function notThis(right: string): (issue: { readonly input: unknown }) => string {
  return ({ input }) => `${right}, not ${shown(input)}`;
}

/** The path of an issue as a caller would write it: `links[3].amount_minor`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === "number") return `${name}[${part}]`;
    return name === "" ? String(part) : `${name}.${String(part)}`;
  }, "");
}

/** Faults that an error lists; further ones are only counted, because working out a hint takes time. */
export const MOST_DETAILS = 50;
/** Of a name that a caller made up. */
const NAME_LENGTH = 120;

function* detailsOf(
  schema: z.ZodType,
  issue: z.core.$ZodIssue,
  steering: Steering | undefined,
): Generator<ErrorDetail, void> {
  if (issue.code !== "unrecognized_keys") return yield { field: fieldName(issue.path), message: issue.message };
  const { also = [], apart = [] } = issue.path.length === 0 ? (steering ?? {}) : {};
  const known = [...new Set([...fieldsAt(schema, issue.path), ...also])].filter((name) => !apart.includes(name));
  for (const key of issue.keys)
    yield {
      field: fieldName([...issue.path, key]),
      message: unknownFieldWords(key, known, { elsewhere: steering?.elsewhere }),
    };
}

/** The first of all that was found, and how many more there are. */
function firstDetails(schema: z.ZodType, issues: readonly z.core.$ZodIssue[], steering?: Steering): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  let found = 0;
  for (const issue of issues) {
    if (details.length < MOST_DETAILS)
      for (const detail of detailsOf(schema, issue, steering)) if (details.push(detail) === MOST_DETAILS) break;
    found += issue.code === "unrecognized_keys" ? issue.keys.length : 1;
  }
  return found > details.length ? [...details, moreThan(found - details.length)] : details;
}

const moreThan = (count: number): ErrorDetail => ({ field: "", message: `has ${count} more faults` });

/** The fields of the object at a path of a schema. */
function fieldsAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let at: z.core.$ZodType | undefined = schema;
  for (const part of path) {
    at = bare(at);
    at = at instanceof z.ZodArray ? at.element : at instanceof z.ZodObject ? at.shape[String(part)] : undefined;
  }
  const found = bare(at);
  return found instanceof z.ZodObject ? Object.keys(found.shape) : [];
}

function bare(schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return bare(schema.unwrap());
  return schema;
}

/**
 * Parses a caller's input. Throws `validation_failed` with one detail for each field at fault, in our own words
 * (completions §10).
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown, steering?: Steering): z.output<S> {
  const words = steering?.isInQuery ? inOurWordsOfAQuery : inOurWords;
  let told = 0;
  const error: typeof inOurWords = (issue) => {
    told += 1;
    return told > MOST_DETAILS ? "is not valid" : words(issue);
  };
  const result = schema.safeParse(input, { error });
  if (result.success) return result.data;
  throw validationFailed(firstDetails(schema, result.error.issues, steering));
}

/** The error that names each field at fault. */
export function validationFailed(given: ErrorDetail[]): ServiceError {
  const details = given.map(({ field, message }) => ({ field: cleanText(field, NAME_LENGTH) ?? "", message }));
  return new ServiceError("validation_failed", faultsMessage(details), { details });
}

/** The message of an error that says no more than which fields its details are about. */
export function faultsMessage(details: readonly ErrorDetail[]): string {
  const fields = [...new Set(details.map((detail) => detail.field).filter((field) => field !== ""))];
  return fields.length === 0 ? "The input is not valid." : `Not valid: ${fields.slice(0, 10).join(", ")}.`;
}

import { z } from "zod";
import { isPlainDate } from "./calendar.ts";
import { type ErrorDetail, ServiceError } from "./error.ts";
import { inOurWords, inOurWordsOfAQuery, shown, unknownFieldWords } from "./issue-words.ts";
import { MONEY_PATTERN } from "./money.ts";
import type { Steering } from "./steering.ts";

/** The wire types every schema is built from (service.md §2, completions §4). */
export const Uuid = z.guid().toLowerCase().describe("UUID");
export const Instant = z.iso.datetime({ offset: true }).describe("ISO 8601 instant");
/** An instant from a caller, with any offset; parsed into UTC with milliseconds, as the store keeps them. */
export const GivenInstant = Instant.transform((text) => new Date(text).toISOString())
  .refine((instant) => isPlainDate(instant.split("T")[0] ?? ""), "must be in the years 1 to 9999, in UTC")
  .describe("ISO 8601 instant");
export const PlainDate = z
  .string()
  .refine(isPlainDate, { error: notThis("must be a day that exists, written YYYY-MM-DD such as 2026-11-30") })
  .meta({ format: "date" });
export const MoneyString = z
  .string()
  .regex(MONEY_PATTERN, { error: notThis('must be an exact decimal such as "1250.50"') })
  .describe("Exact decimal in major units");
export const CurrencyCode = z
  .string()
  .regex(/^[A-Z]{3}$/, { error: notThis("must be 3 upper-case letters (ISO 4217), such as EUR") })
  .describe("ISO 4217 code");

/** Text to be found literally; the one character no stored text can hold is refused. */
export const FilterText = z.string().refine((text) => !text.includes("\0"), "must not hold a NUL character");

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

function detailsOf(schema: z.ZodType, issue: z.core.$ZodIssue, steering: Steering | undefined): ErrorDetail[] {
  if (issue.code !== "unrecognized_keys") return [{ field: fieldName(issue.path), message: issue.message }];
  const { also = [], apart = [] } = issue.path.length === 0 ? (steering ?? {}) : {};
  const known = [...new Set([...fieldsAt(schema, issue.path), ...also])].filter((name) => !apart.includes(name));
  return issue.keys.map((key) => ({
    field: fieldName([...issue.path, key]),
    message: unknownFieldWords(key, known, { elsewhere: steering?.elsewhere }),
  }));
}

/** The fields of the object that stands at a path of a schema. */
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
  const result = schema.safeParse(input, { error: steering?.isInQuery ? inOurWordsOfAQuery : inOurWords });
  if (result.success) return result.data;
  throw validationFailed(result.error.issues.flatMap((issue) => detailsOf(schema, issue, steering)));
}

/** The error that names each field at fault. */
export function validationFailed(details: ErrorDetail[]): ServiceError {
  const fields = [...new Set(details.map((detail) => detail.field).filter((field) => field !== ""))];
  const message = fields.length === 0 ? "The input is not valid." : `Not valid: ${fields.slice(0, 10).join(", ")}.`;
  return new ServiceError("validation_failed", message, { details });
}

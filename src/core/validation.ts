import { z } from "zod";
import { isPlainDate } from "./calendar.ts";
import { type ErrorDetail, ServiceError } from "./error.ts";
import { MONEY_PATTERN } from "./money.ts";

/** The wire types every schema is built from (service.md §2, completions §4). */
export const Uuid = z.guid().toLowerCase().describe("UUID");
export const Instant = z.iso.datetime({ offset: true }).describe("ISO 8601 instant");
/** An instant from a caller, with any offset; parsed into UTC with milliseconds, as the store keeps them. */
export const GivenInstant = Instant.transform((text) => new Date(text).toISOString())
  .refine((instant) => isPlainDate(instant.split("T")[0] ?? ""), "must be in the years 1 to 9999")
  .describe("ISO 8601 instant");
export const PlainDate = z.string().refine(isPlainDate, "must be a date YYYY-MM-DD").meta({ format: "date" });
export const MoneyString = z.string().regex(MONEY_PATTERN).describe("Exact decimal in major units");
export const CurrencyCode = z
  .string()
  .regex(/^[A-Z]{3}$/, "must be exactly 3 upper-case letters (ISO 4217)")
  .describe("ISO 4217 code");

/** Text to be found literally; the one character no stored text can hold is refused. */
export const FilterText = z.string().refine((text) => !text.includes("\0"), "must not hold a NUL character");

/** The path of an issue as a caller would write it: `links[3].amount_minor`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === "number") return `${name}[${part}]`;
    return name === "" ? String(part) : `${name}.${String(part)}`;
  }, "");
}

function detailsOf(issue: z.core.$ZodIssue): ErrorDetail[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ field: fieldName([...issue.path, key]), message: "is not a known field" }));
  return [{ field: fieldName(issue.path), message: issue.message }];
}

/** Parses a caller's input. Throws `validation_failed` with one detail for each field at fault. */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw validationFailed(result.error.issues.flatMap(detailsOf));
}

/** The error that names each field at fault. */
export function validationFailed(details: ErrorDetail[]): ServiceError {
  const fields = [...new Set(details.map((detail) => detail.field).filter((field) => field !== ""))];
  const message = fields.length === 0 ? "The input is not valid." : `Not valid: ${fields.slice(0, 10).join(", ")}.`;
  return new ServiceError("validation_failed", message, { details });
}

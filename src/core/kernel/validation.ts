import { z } from "zod";
import { type ErrorDetail, ServiceError } from "./error.ts";
import type { Steering } from "./steering.ts";
import { capital, cleanText } from "./text.ts";
import { inOurWords, inOurWordsOfAQuery, unknownFieldWords } from "./validation-messages.ts";

/**
 * Refuses a range that ends before it begins, or with it: its end is exclusive, unless both are `days`. Throws `validation_failed`, of
 * an exclusive end for both.
 */
export function assertInOrder<Field extends string>(
  given: { readonly [Name in Field]?: string | null | undefined },
  first: Field,
  last: Field,
  are?: "days",
) {
  const [from, to] = [given[first], given[last]];
  if (!from || !to || from < to || (are && from === to)) return;
  if (are)
    throw validationFailed([{ field: first, message: `must not be after \`${last}\`, which is ${to}`, crosses: last }]);
  throw validationFailed([
    { field: first, message: `must be before \`${last}\`, which is ${to}`, crosses: last },
    {
      field: last,
      message: `must be after \`${first}\`, which is ${from}; it is exclusive: end a day with the next`,
      crosses: first,
    },
  ]);
}

/** The path of an issue as a caller would write it: `links[3].amount_minor`. */
function fieldName(path: readonly PropertyKey[]) {
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
  let mistyped: string | undefined;
  for (const issue of issues) {
    const field = fieldName(issue.path);
    // Zod also counts the characters of text where a list is wanted, which says nothing.
    if (field === mistyped) continue;
    mistyped = issue.code === "invalid_type" ? field : undefined;
    if (details.length < MOST_DETAILS)
      for (const detail of detailsOf(schema, issue, steering)) if (details.push(detail) === MOST_DETAILS) break;
    found += issue.code === "unrecognized_keys" ? issue.keys.length : 1;
  }
  return found > details.length ? [...details, moreThan(found - details.length)] : details;
}

const moreThan = (count: number): ErrorDetail => ({ field: "", message: `has ${count} more faults` });

/** The fields of the object at a path of a schema. */
function fieldsAt(schema: z.ZodType, path: readonly PropertyKey[]) {
  let at: z.core.$ZodType | undefined = schema;
  for (const part of path) {
    at = bare(at);
    at = at instanceof z.ZodArray ? at.element : at instanceof z.ZodObject ? at.shape[String(part)] : undefined;
  }
  const found = bare(at);
  return found instanceof z.ZodObject ? Object.keys(found.shape) : [];
}

function bare(schema: z.core.$ZodType | undefined) {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return bare(schema.unwrap());
  return schema;
}

/** The input with its lists cut to what they may hold: to look at the items of a longer one takes time. Tells each of those. */
function withinLists(
  schema: z.core.$ZodType | undefined,
  value: unknown,
  onLonger: (path: readonly PropertyKey[], most: number, list: readonly unknown[]) => void,
  path: readonly PropertyKey[] = [],
): unknown {
  const form = bare(schema);
  const inner = (one: z.core.$ZodType | undefined, item: unknown, name: PropertyKey): unknown =>
    withinLists(one, item, onLonger, [...path, name]);
  if (form instanceof z.ZodArray && Array.isArray(value)) {
    const bounds = (form._zod.def.checks ?? []).flatMap(({ _zod }) =>
      "maximum" in _zod.def ? Number(_zod.def.maximum) : [],
    );
    const most = Math.min(value.length, ...bounds);
    if (value.length > most) onLonger(path, most, value);
    return value.slice(0, most).map((item, index) => inner(form.element, item, index));
  }
  if (!(form instanceof z.ZodObject) || typeof value !== "object" || value === null || Array.isArray(value))
    return value;
  const cut = Object.entries(form.shape).flatMap(([name, one]): [string, unknown][] => {
    if (!Object.hasOwn(value, name)) return [];
    const before: unknown = Reflect.get(value, name);
    const after = inner(one, before, name);
    return after === before ? [] : [[name, after]];
  });
  return cut.length === 0 ? value : { ...value, ...Object.fromEntries(cut) };
}

/** No input has texts deeper in it. */
const DEEPEST = 6;

const isKept = (value: unknown) => typeof value !== "string" || (value.isWellFormed() && !value.includes("\0"));

/** The texts of an input that no store can keep. */
function* unkeptTexts(value: unknown, path: readonly PropertyKey[] = []): Generator<ErrorDetail, void> {
  if (typeof value === "string" && value.includes("\0"))
    yield { field: fieldName(path), message: "must not hold a NUL character" };
  else if (typeof value === "string" && !value.isWellFormed())
    yield { field: fieldName(path), message: "must not hold half of a character (a lone surrogate)" };
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || path.length === DEEPEST) return;
  for (const [name, inner] of Array.isArray(value) ? value.entries() : Object.entries(value))
    if (typeof inner === "object" || !isKept(inner)) yield* unkeptTexts(inner, [...path, name]);
}

/**
 * Parses a caller's input. Throws `validation_failed` with one detail for each field at fault, in our own words
 * (completions §10).
 */
export function parseInput<S extends z.ZodType>(schema: S, given: unknown, steering?: Steering): z.output<S> {
  const words = steering?.isInQuery ? inOurWordsOfAQuery : inOurWords;
  const details: ErrorDetail[] = [];
  const input = withinLists(schema, given, (path, maximum, list) => {
    const message = words({ code: "too_big", origin: "array", maximum, input: list });
    details.push({ field: fieldName(path), message });
  });
  let told = 0;
  const error: typeof inOurWords = (issue) => {
    told += 1;
    return told > MOST_DETAILS ? "is not valid" : words(issue);
  };
  const result = schema.safeParse(input, { error });
  if (!result.success) details.push(...firstDetails(schema, result.error.issues, steering));
  const named = new Set(details.map(({ field }) => field));
  for (const detail of unkeptTexts(input))
    if (details.length < MOST_DETAILS && !named.has(detail.field)) details.push(detail);
  if (result.success && details.length === 0) return result.data;
  throw validationFailed(details);
}

/** The error that names each field at fault. */
export function validationFailed(given: ErrorDetail[]) {
  const details = given.map((detail) => ({ ...detail, field: cleanText(detail.field, NAME_LENGTH) ?? "" }));
  return new ServiceError("validation_failed", faultsMessage(details), { details, isSummary: details.length > 0 });
}

/** The error for a box that has to be ticked first, and why. */
export function toConfirm(field: string, why: string) {
  return validationFailed([{ field, message: `must be given, because ${why}`, onPage: capital(why) }]);
}

function faultsMessage(details: readonly ErrorDetail[]) {
  const fields = [...new Set(details.map((detail) => detail.field).filter((field) => field !== ""))];
  return fields.length === 0 ? "The input is not valid." : `Not valid: ${fields.slice(0, 10).join(", ")}.`;
}

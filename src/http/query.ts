import type { z } from "zod";
import type { ErrorDetail } from "../core/kernel/error.ts";
import { schemaOfInput } from "../core/kernel/json-schema.ts";
import { MOST_DETAILS, validationFailed } from "../core/kernel/validation.ts";

/** The type of each member of an input. */
export function parameterTypes(schema: z.ZodObject): Map<string, ParameterType> {
  return new Map(
    Object.entries(schemaOfInput(schema).properties ?? {}).map(([name, { type }]) => [
      name,
      type === "integer" || type === "boolean" ? type : "string",
    ]),
  );
}

/** The type of a query parameter. */
type ParameterType = "integer" | "boolean" | "string";

/**
 * Reads a query string by the types of its parameters. Unknown parameters and values of another type stay text, which the
 * operation refuses; `stray` finds faults in those that the operation would not see.
 * Throws `validation_failed` for parameters given twice, stray or not percent-encoded UTF-8, naming each.
 */
export function readQuery(
  search: string,
  types: ReadonlyMap<string, ParameterType>,
  stray: (name: string) => string | null,
): Record<string, unknown> {
  const values = new Map<string, unknown>();
  const faults: ErrorDetail[] = [];
  for (const pair of search.split("&")) {
    if (pair === "") continue;
    if (faults.length >= MOST_DETAILS) break;
    const [encodedName = "", ...rest] = pair.split("=");
    const name = decode(encodedName);
    const value = decode(rest.join("="));
    const fault = name === null ? null : stray(name);
    if (name === null || value === null)
      faults.push({ field: name ?? encodedName, message: "is not percent-encoded UTF-8" });
    else if (fault !== null) faults.push({ field: name, message: fault });
    else if (values.has(name)) faults.push({ field: name, message: "must be given once: only one value is taken" });
    else values.set(name, typed(value, types.get(name) ?? "string"));
  }
  if (faults.length > 0) throw validationFailed(faults);
  return Object.fromEntries(values);
}

function decode(text: string) {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}

function typed(text: string, type: ParameterType) {
  if (type === "integer" && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

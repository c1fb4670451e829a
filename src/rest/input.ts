import { z } from "zod";
import type { ErrorDetail } from "../core/gate/error.ts";
import type { Steering } from "../core/gate/steering.ts";
import { snakeCase, unknownFieldWords } from "../core/shared/issue-words.ts";
import { MOST_DETAILS, parseInput, validationFailed } from "../core/shared/validation.ts";
import { decodeId, pathNames } from "./match.ts";
import type { Route } from "./routes.ts";

/** The parts of a request that hold input, unparsed. */
export interface RequestParts {
  ids: Readonly<Record<string, string>>;
  /** Without the question mark. */
  search: string;
  /** The members of the body's JSON object. */
  body: Record<string, unknown>;
}

/** Builds an operation's input from path, query (GET) and body (POST). Throws `validation_failed`. */
export type InputReader = (parts: RequestParts) => Record<string, unknown>;

/** The input reader of a route, built once from the operation's schema. */
export function inputReader({ method, path, operation }: Route, steering: Steering): InputReader {
  const shape: Readonly<Record<string, z.ZodType>> = operation.input.shape;
  const names = pathNames(path);
  const ids = new Set(names.map(snakeCase));
  const taken = Object.keys(shape).filter((name) => !ids.has(name));
  const types = parameterTypes(operation.input);
  const stray = (name: string): string | null => {
    if (ids.has(name)) return "belongs in the path";
    if (method === "GET") return name === "__proto__" ? unknownFieldWords(name, taken, steering) : null;
    return name in shape ? "belongs in the body" : unknownFieldWords(name, [], steering);
  };
  const Ids = z.strictObject(Object.fromEntries(names.map((name) => [name, shape[snakeCase(name)] ?? z.never()])));
  return (parts) => {
    const decoded = Object.fromEntries(names.map((name) => [name, decodeId(name, parts.ids[name] ?? "")]));
    const given = Object.entries(parseInput(Ids, decoded)).map(([name, id]) => [snakeCase(name), id]);
    const query = readQuery(parts.search, types, stray);
    if (method === "GET") return { ...query, ...Object.fromEntries(given) };
    const strays = Object.keys(parts.body).filter((name) => ids.has(name));
    if (strays.length > 0) throw validationFailed(strays.map((field) => ({ field, message: "belongs in the path" })));
    return { ...parts.body, ...Object.fromEntries(given) };
  };
}

/** The type of each member of an input. */
function parameterTypes(schema: z.ZodObject): Map<string, ParameterType> {
  const { properties = {} } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return new Map(
    Object.entries(properties).map(([name, property]) => {
      const type = typeof property === "object" ? property.type : undefined;
      return [name, type === "integer" || type === "boolean" ? type : "string"];
    }),
  );
}

/** The type of a query parameter. */
export type ParameterType = "integer" | "boolean" | "string";

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

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}

function typed(text: string, type: ParameterType): unknown {
  if (type === "integer" && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

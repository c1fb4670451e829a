import { z } from "zod";
import type { Steering } from "../core/kernel/steering.ts";
import { parseInput, validationFailed } from "../core/kernel/validation.ts";
import { snakeCase, unknownFieldWords } from "../core/kernel/validation-messages.ts";
import { parameterTypes, readQuery } from "../http/query.ts";
import { decodeId, pathNames } from "./match.ts";
import type { Route } from "./routes.ts";

/** The parts of a request that hold input, unparsed. */
interface RequestParts {
  ids: Readonly<Record<string, string>>;
  /** Without the question mark. */
  search: string;
  /** The members of the body's JSON object. */
  body: Record<string, unknown>;
}

/** Builds an operation's input from path, query (GET) and body (POST). Throws `validation_failed`. */
type InputReader = (parts: RequestParts) => Record<string, unknown>;

/** The input reader of a route, built once from the operation's schema. */
export function inputReader({ method, path, operation }: Route, steering: Steering): InputReader {
  const shape: Readonly<Record<string, z.ZodType>> = operation.input.shape;
  const names = pathNames(path);
  const ids = new Set(names.map(snakeCase));
  const taken = Object.keys(shape).filter((name) => !ids.has(name));
  const types = parameterTypes(operation.input);
  const stray = (name: string) => {
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

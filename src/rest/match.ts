import type { Response } from "express";
import { ServiceError } from "../core/kernel/error.ts";
import { validationFailed } from "../core/kernel/validation.ts";
import type { Route } from "./routes.ts";

/** The routes of a path, and the values of its `{names}`, still percent-encoded. */
interface Match {
  /** As declared. */
  path: string;
  routes: readonly Route[];
  ids: Readonly<Record<string, string>>;
}

/** Finds the routes of a path; null when there is no such path. Paths are case-sensitive. */
export function pathMatcher(table: readonly Route[]): (path: string) => Match | null {
  const patterns = [...Map.groupBy(table, (route) => route.path)].map(([path, routes]) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
    routes,
  }));
  // A word in a path is no id.
  patterns.sort((one, other) => pathNames(one.path).length - pathNames(other.path).length);
  return (path) => {
    for (const { path: declared, pattern, routes } of patterns) {
      const found = pattern.exec(path);
      if (found !== null) return { path: declared, routes, ids: { ...found.groups } };
    }
    return null;
  };
}

/** The names in a path's braces. */
export function pathNames(path: string) {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/** The methods of a path, for `Allow`. */
export function allowed({ routes }: Match) {
  return [...routes.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])), "OPTIONS"].join(", ");
}

/** The route of a path for a method; HEAD uses the route of GET. Throws `method_not_allowed`, with the header `Allow` set. */
export function routeFor(found: Match, method: string, response: Response) {
  const route = found.routes.find((candidate) => candidate.method === (method === "HEAD" ? "GET" : method));
  if (route !== undefined) return route;
  response.set("Allow", allowed(found));
  throw new ServiceError("method_not_allowed", "This path exists, but not with this method. See Allow.");
}

/** The text of an id in a path. Throws `validation_failed` naming it. */
export function decodeId(name: string, encoded: string) {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw validationFailed([{ field: name, message: "is not percent-encoded UTF-8" }]);
  }
}

import { type ErrorCode, ServiceError } from "../core/gate/error.ts";
import { elsewhereIn, type Steering } from "../core/gate/steering.ts";
import { snakeCase } from "../core/shared/issue-words.ts";
import { pathNames } from "./match.ts";
import type { Route } from "./routes.ts";

/** What is taken, but not in the query or the body. */
const NOT_HERE: ReadonlyMap<string, string> = new Map([
  ["idempotency_key", "the header `Idempotency-Key` takes it"],
  ["fields", "only the assistants' tools take it"],
]);

/** Where a caller of the API finds what it asked the wrong path for. */
export function routeSteering(routes: readonly Route[]): (route: Route) => Steering {
  const places = routes.map(({ method, path, operation }) => ({
    name: `${method} ${path}`,
    fields: Object.keys(operation.input.shape),
  }));
  return (route) => {
    const elsewhere = elsewhereIn(places.filter((_, index) => routes[index] !== route));
    return {
      also: [],
      apart: pathNames(route.path).map(snakeCase),
      isInQuery: route.method === "GET",
      elsewhere: (field, near) => NOT_HERE.get(field) ?? elsewhere(field, near),
    };
  };
}

/** Says where keys are made, to a caller whose key is missing, is not good or may not do this. */
export function withKeysPage(error: ServiceError, publicOrigin: string): ServiceError {
  const message = `${error.message} An admin of the workspace makes keys at ${publicOrigin}/api-keys.`;
  return OF_KEYS.has(error.code) ? new ServiceError(error.code, message) : error;
}

const OF_KEYS: ReadonlySet<ErrorCode> = new Set([
  "missing_credentials",
  "invalid_credentials",
  "revoked_credentials",
  "permission_denied",
]);

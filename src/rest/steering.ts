import { type ErrorCode, ServiceError } from "../core/kernel/error.ts";
import { elsewhereIn, type Steering } from "../core/kernel/steering.ts";
import { snakeCase } from "../core/kernel/validation-messages.ts";
import { pathNames } from "./match.ts";
import type { Route } from "./routes.ts";

/** Parameters that belong elsewhere than in the query or the body. */
const NOT_HERE: ReadonlyMap<string, string> = new Map([
  ["idempotency_key", "the header `Idempotency-Key` takes it"],
  ["fields", "only the assistants' tools take it"],
]);

/** Names the right path to a caller that used the wrong one. */
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

/** Adds where keys are made to an error about a missing, invalid or insufficient key. */
export function withKeysPage(error: ServiceError, publicOrigin: string) {
  const message = `${error.message} An admin of the workspace makes keys at ${publicOrigin}/api-keys.`;
  return OF_KEYS.has(error.code) ? new ServiceError(error.code, message) : error;
}

const OF_KEYS: ReadonlySet<ErrorCode> = new Set([
  "missing_credentials",
  "invalid_credentials",
  "revoked_credentials",
  "permission_denied",
]);

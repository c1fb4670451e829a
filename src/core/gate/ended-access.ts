import { ServiceError } from "../kernel/error.ts";

/** How many of what ended, such as keys that were revoked, are listed, the latest; all of it is in the audit trail. */
export const MOST_ENDED = 50;

/** For an API key that was revoked (service.md §5.4), before the call or while it ran. */
export function keyRevoked() {
  return new ServiceError("revoked_credentials", "This API key was revoked. Create a new one.");
}

/** For an assistant connection that was revoked, or whose person is no member any more. */
export function connectionRevoked() {
  return new ServiceError("revoked_credentials", "This connection was revoked.");
}

/** For callers of a route that the workspace's plan does not include, or an operator switched off (service.md §5.4). */
export function featureUnavailable(route: "API" | "assistant") {
  return new ServiceError(
    "feature_unavailable",
    `The workspace has no ${route} access. It is switched off, or the plan does not include it.`,
  );
}

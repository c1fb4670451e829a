import { SCOPES } from "../src/core/gate/actor.ts";
import type { AuthenticatedCaller } from "./caller.ts";
import { READ_SCOPE } from "./grantable-scopes.ts";

/** `WWW-Authenticate` values of the assistant route (RFC 6750 §3, RFC 9728 §5.1). */
export type BearerChallenges = ReturnType<typeof bearerChallenges>;

/** Challenges with the address of the resource metadata at `publicOrigin`. */
export function bearerChallenges(publicOrigin: string) {
  const metadata = `resource_metadata="${publicOrigin}/.well-known/oauth-protected-resource/mcp"`;
  const invalid = `Bearer error="invalid_token", error_description="The access token is not valid", ${metadata}`;
  const lacking = (scopes: string) => `Bearer error="insufficient_scope", scope="${scopes}", ${metadata}`;
  return {
    /** No token was sent, so no error is named. Asks for reading only (completions §11). */
    missing: () => `Bearer ${metadata}, scope="${READ_SCOPE}"`,
    /** An invalid or expired token. */
    invalid: () => invalid,
    /** A token in a place where none is accepted. */
    malformed: () => `Bearer error="invalid_request", ${metadata}`,
    /** A connection that was revoked while the call was being served. */
    revoked: () => invalid,
    /** The token was issued without these scopes. */
    lacking,
    /** The call needs `scope` besides what the connection has (completions §2): asking for all of it steps up. */
    insufficientScope: (caller: AuthenticatedCaller, scope: string) =>
      lacking(SCOPES.filter((name) => name === scope || caller.actor.scopes.includes(name)).join(" ")),
  };
}

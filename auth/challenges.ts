import { SCOPES } from "../src/core/gate/actor.ts";
import type { AuthenticatedCaller } from "./caller.ts";
import { READ_SCOPE } from "./scopes.ts";

/** `WWW-Authenticate` values of the assistant route (RFC 6750 §3, RFC 9728 §5.1). */
export interface BearerChallenges {
  /** No token was sent: nothing was wrong with one, so no error is named. Asks for reading alone (completions §11). */
  missing(): string;
  /** A token that is not, or no longer, good. */
  invalid(): string;
  /** A token where none may be. */
  malformed(): string;
  /** For a connection that was revoked while it was being served. */
  revoked(): string;
  /** The token was issued without `scope`. */
  lacking(scope: string): string;
  /** The call needs `scope` besides what the connection has (completions §2): asking for all of it steps up. */
  insufficientScope(caller: AuthenticatedCaller, scope: string): string;
}

/** Challenges that lead to the metadata of the resource at `publicOrigin`. */
export function bearerChallenges(publicOrigin: string): BearerChallenges {
  const metadata = `resource_metadata="${publicOrigin}/.well-known/oauth-protected-resource/mcp"`;
  const invalid = `Bearer error="invalid_token", error_description="The access token is not valid", ${metadata}`;
  const insufficient = (scopes: string) => `Bearer error="insufficient_scope", scope="${scopes}", ${metadata}`;
  return {
    missing: () => `Bearer ${metadata}, scope="${READ_SCOPE}"`,
    invalid: () => invalid,
    malformed: () => `Bearer error="invalid_request", ${metadata}`,
    revoked: () => invalid,
    lacking: insufficient,
    insufficientScope: (caller, scope) =>
      insufficient(SCOPES.filter((name) => name === scope || caller.actor.scopes.includes(name)).join(" ")),
  };
}

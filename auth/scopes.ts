import { type Role, SCOPES, type Scope } from "../src/core/actor.ts";
import { ServiceError } from "../src/core/error.ts";

/** Every connection can read (completions §2: "always needed"). */
export const READ_SCOPE = "receivables:read" satisfies Scope;

/** What a token that was issued without it is told. */
export function withoutReading(): ServiceError {
  return new ServiceError("permission_denied", `The access token lacks the scope ${READ_SCOPE}.`, {
    missingScope: READ_SCOPE,
  });
}

/** Asks for a refresh token. */
export const OFFLINE_ACCESS = "offline_access";

/** What a person of this role can give a client that asked for `asked`; a non-admin never gives a write scope. */
export function grantable(role: Role, asked: readonly Scope[]): Scope[] {
  return SCOPES.filter((scope) => scope === READ_SCOPE || (role === "admin" && asked.includes(scope)));
}

/** What they do give: of the write scopes only those they left `ticked`. */
export function grantedOf(role: Role, asked: readonly Scope[], ticked: readonly Scope[]): Scope[] {
  return grantable(role, asked).filter((scope) => scope === READ_SCOPE || ticked.includes(scope));
}

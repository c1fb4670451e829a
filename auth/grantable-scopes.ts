import { type AssistantMode, READ_SCOPE, type Role, SCOPES, type Scope, scopesIn } from "../src/core/gate/actor.ts";
import { ServiceError } from "../src/core/kernel/error.ts";

export { READ_SCOPE };

/** The error for a token without the required scope. */
export function withoutReading() {
  return new ServiceError("permission_denied", `The access token lacks the scope ${READ_SCOPE}.`, {
    missingScope: READ_SCOPE,
  });
}

/** Asks for a refresh token. */
export const OFFLINE_ACCESS = "offline_access";

/** A person's role in a workspace and its assistant setting, which decide the scopes they can grant. */
export interface GivingPlace {
  readonly role: Role;
  readonly assistants: AssistantMode;
}

/** The scopes a person could grant; to write only as an admin, and where the workspace lets assistants write. */
export function grantable({ role, assistants }: GivingPlace): Scope[] {
  return scopesIn(role === "admin" ? assistants : "read", SCOPES);
}

/** The scopes granted: reading, and the write scopes `ticked` (RFC 6749 §3.3: the person decides, not the client). */
export function grantedOf(place: GivingPlace, ticked: readonly Scope[]): Scope[] {
  return grantable(place).filter((scope) => scope === READ_SCOPE || ticked.includes(scope));
}

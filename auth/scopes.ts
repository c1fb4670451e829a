import { type AssistantMode, READ_SCOPE, type Role, SCOPES, type Scope, scopesIn } from "../src/core/gate/actor.ts";
import { ServiceError } from "../src/core/gate/error.ts";

export { READ_SCOPE };

/** What a token that was issued without it is told. */
export function withoutReading(): ServiceError {
  return new ServiceError("permission_denied", `The access token lacks the scope ${READ_SCOPE}.`, {
    missingScope: READ_SCOPE,
  });
}

/** Asks for a refresh token. */
export const OFFLINE_ACCESS = "offline_access";

/** A person's place in a workspace, as far as it says what they can give an assistant there. */
export interface GivingPlace {
  readonly role: Role;
  readonly assistants: AssistantMode;
}

/** All that a person could give, asked or not; no write scope unless they are an admin and the workspace lets assistants write. */
export function grantable({ role, assistants }: GivingPlace): Scope[] {
  return scopesIn(role === "admin" ? assistants : "read", SCOPES);
}

/** What they do give: reading, and of the write scopes those that they `ticked` (RFC 6749 §3.3: their word, not the client's). */
export function grantedOf(place: GivingPlace, ticked: readonly Scope[]): Scope[] {
  return grantable(place).filter((scope) => scope === READ_SCOPE || ticked.includes(scope));
}

import { createHash } from "node:crypto";
import type { Core } from "../gate/dependencies.ts";

const FORM = /^[A-Za-z0-9_-]{43}$/;

/** The token of an invitation: made of its id with the service's key, so that its mail can be written at any time. */
export function invitationToken({ secrets }: Pick<Core, "secrets">, invitationId: string): string {
  return secrets.seal("invitation", invitationId).toString("base64url");
}

/** The same with whichever known key the invitation was made: while keys are changed, another process may have had another. */
export function invitationTokenOf(core: Pick<Core, "secrets">, { id, hash }: { id: string; hash: string }): string {
  const tokens = core.secrets.seals("invitation", id).map((seal) => seal.toString("base64url"));
  return tokens.find((token) => tokenHash(token) === hash) ?? invitationToken(core, id);
}

/** What a token is stored and looked up by; null for text that no token can be. */
export function tokenHash(token: string): string | null {
  return FORM.test(token) ? createHash("sha256").update(token).digest("hex") : null;
}

/** The page that an invitation's mail leads to. */
export const INVITATION_PATH = "/invitations";

import { createHash } from "node:crypto";
import type { Core } from "./dependencies.ts";

const FORM = /^[A-Za-z0-9_-]{43}$/;

/** What a mail with a token lets its reader do. */
type TokenPurpose = "invitation" | "password reset";

/** A token in a mail's link: made of what it is for with the service's key, so that the mail can be written at any time. */
export function mailedToken({ secrets }: Pick<Core, "secrets">, purpose: TokenPurpose, id: string) {
  return secrets.seal(purpose, id).toString("base64url");
}

/** The same with whichever known key its hash was made: while keys are changed, another process may have had another. */
export function mailedTokenOf(
  core: Pick<Core, "secrets">,
  purpose: TokenPurpose,
  { id, hash }: { id: string; hash: string },
) {
  const tokens = core.secrets.seals(purpose, id).map((seal) => seal.toString("base64url"));
  return tokens.find((token) => tokenHash(token) === hash) ?? mailedToken(core, purpose, id);
}

/** What a token is stored and looked up by; null for text that no token can be. */
export function tokenHash(token: string) {
  return FORM.test(token) ? createHash("sha256").update(token).digest("hex") : null;
}

import { z } from "zod";
import type { Core } from "../src/core/gate/dependencies.ts";
import { digestOfHash } from "./passwords.ts";
import { sealedCookie } from "./sealed-cookie.ts";
import type { SigningIn, WebSession } from "./sessions.ts";

/** How long a browser is known after a sign-in in it. */
export const BROWSER_KNOWN_SECONDS = 90 * 86_400;

/** Where a person signed in with their password: wrong ones of others do not delay them there. */
export interface KnownBrowser {
  readonly personId: string;
  /** The digest of the password's hash, so that a new password ends it; null in a session, which that ends anyway. */
  readonly proof: string | null;
  /** Whether they entered the code of their second factor there. */
  readonly secondFactor: boolean;
}

const Kept = z.strictObject({
  personId: z.guid(),
  proof: z.string(),
  secondFactor: z.boolean(),
  expiresAt: z.number(),
});
const browsers = sealedCookie("browser of a sign-in", BROWSER_KNOWN_SECONDS, Kept);

/** The cookie's content for a browser that a person signs in with; null where a provider vouches for them in one workspace. */
export function sealKnownBrowser(core: Core, { personId, proof, secondFactor }: SigningIn) {
  if (!("passwordHash" in proof)) return null;
  return browsers.seal(core, { personId, proof: digestOfHash(proof.passwordHash), secondFactor });
}

/** What {@link sealKnownBrowser} sealed; null without a cookie, or after its time. */
export function openKnownBrowser(core: Core, cookie: string | undefined): KnownBrowser | null {
  return browsers.open(core, cookie);
}

/** The browser of a session; null where a provider vouched for it. */
export function browserOf({ personId, tenantId, secondFactor }: WebSession): KnownBrowser | null {
  return tenantId === null ? { personId, proof: null, secondFactor } : null;
}

/** The browser, where a person signed in with it by their current password; null for everybody else. */
export function knownFor(
  browser: KnownBrowser | null,
  { personId, passwordHash }: { personId: string; passwordHash: string | null },
): KnownBrowser | null {
  if (browser?.personId !== personId || passwordHash === null) return null;
  return browser.proof === null || browser.proof === digestOfHash(passwordHash) ? browser : null;
}

import { z } from "zod";
import type { Core } from "../src/core/gate/dependencies.ts";
import { sealedCookie } from "./sealed-cookie.ts";

/** How long a browser is known after a sign-in in it. */
export const BROWSER_KNOWN_SECONDS = 90 * 86_400;

/** A browser, or a session in it, that a person has signed in with: wrong passwords of others do not delay them there. */
export interface KnownBrowser {
  readonly personId: string;
  /** Random: what wrong passwords in this browser are counted by. */
  readonly id: string;
}

const Kept = z.strictObject({ personId: z.guid(), id: z.string(), expiresAt: z.number() });
const browsers = sealedCookie("browser of a sign-in", BROWSER_KNOWN_SECONDS, Kept);

/** The cookie's content for a browser that a person has signed in with just now. */
export function sealKnownBrowser(core: Core, personId: string): string {
  return browsers.seal(core, { personId, id: core.newId() });
}

/** The browser that a cookie was given to by {@link sealKnownBrowser}; null without one, or after its time. */
export function openKnownBrowser(core: Core, cookie: string | undefined): KnownBrowser | null {
  return browsers.open(core, cookie);
}

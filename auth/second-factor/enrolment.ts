import { z } from "zod";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { sealedCookie } from "../sealed-cookie.ts";
import type { WebSession } from "../sessions.ts";
import { enrolmentUri, newSecret } from "./codes.ts";

/** How long a person has to enter the first code of their app. */
export const ENROLMENT_SECONDS = 1_800;

const Begun = z.strictObject({ session: z.string(), secret: z.string(), expiresAt: z.number() });
const enrolments = sealedCookie("second factor being set up", ENROLMENT_SECONDS, Begun);

/** A second factor that is being set up, as its page shows it. */
export interface Enrolment {
  readonly secret: string;
  /** The `otpauth` address for authenticator apps. */
  readonly uri: string;
}

/**
 * A new secret, and the content of the cookie that keeps it. Nothing is stored: only the browser that showed the secret
 * can confirm it, so a stolen session does not learn what its person sets up.
 */
export function beginEnrolment(core: Core, session: WebSession): Enrolment & { cookie: string } {
  const secret = newSecret();
  const cookie = enrolments.seal(core, { session: session.id, secret });
  return { secret, uri: enrolmentUri(secret, session.email), cookie };
}

/** What a cookie keeps; null for one of another session, after its time, or that is not ours. */
export function openEnrolment(core: Core, session: WebSession, cookie: string | undefined): Enrolment | null {
  const kept = enrolments.open(core, cookie);
  if (kept === null || kept.session !== session.id) return null;
  return { secret: kept.secret, uri: enrolmentUri(kept.secret, session.email) };
}

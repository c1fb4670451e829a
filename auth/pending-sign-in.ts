import { z } from "zod";
import type { Core } from "../src/core/gate/dependencies.ts";
import { digestOfHash } from "./passwords.ts";
import { sealedCookie } from "./sealed-cookie.ts";
import { hasSecondFactor } from "./second-factor/check.ts";
import { selectPasswordHash } from "./session-queries.ts";
import { reachOfPassword } from "./sign-in-rules/queries.ts";

/** How long a person has to enter the code after their password. */
export const PENDING_SECONDS = 600;

/** A sign-in with a correct password that waits for a code. */
const Pending = z.strictObject({ personId: z.guid(), proof: z.string(), next: z.string(), expiresAt: z.number() });
const pendings = sealedCookie("sign-in waiting for a code", PENDING_SECONDS, Pending);

/** The step that follows a correct password. */
export type NextStep = "none" | "code" | "set_up_factor" | "provider";

/** What a person's workspaces require besides the password. */
export async function stepAfterPassword(core: Core, personId: string): Promise<NextStep> {
  if (await hasSecondFactor(core, personId)) return "code";
  const { all, withFactor, without } = await core.store.directory((tx) => reachOfPassword(tx, personId));
  if (all === 0 || without > 0) return "none";
  return withFactor > 0 ? "set_up_factor" : "provider";
}

/** The cookie's content while a code is requested. */
export function sealPending(
  core: Core,
  { personId, passwordHash, next }: { personId: string; passwordHash: string; next: string },
) {
  return pendings.seal(core, { personId, proof: digestOfHash(passwordHash), next });
}

/** The person whose sign-in waits for a code; null if it has expired or the password was changed. */
export async function openPending(
  core: Core,
  cookie: string | undefined,
): Promise<{ personId: string; passwordHash: string; next: string } | null> {
  const pending = pendings.open(core, cookie);
  if (pending === null) return null;
  const { personId, proof, next } = pending;
  const passwordHash = await core.store.directory((tx) => selectPasswordHash(tx, personId));
  return passwordHash === null || digestOfHash(passwordHash) !== proof ? null : { personId, passwordHash, next };
}

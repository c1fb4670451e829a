import { createHash } from "node:crypto";
import type { Core } from "../src/core/core.ts";
import { type AttemptLimit, count, forget, look } from "./attempts.ts";
import { verifyPassword } from "./passwords.ts";
import { selectPersonByEmail } from "./session-queries.ts";

/** Of one address on one email: whoever guesses locks nobody out but themselves. */
const GUESSES: AttemptLimit = { name: "sign-in", max: 10, windowSeconds: 900 };
/** Failures of all addresses together, against guessing that is spread over many of them. */
const ALL_FAILURES: AttemptLimit = { name: "sign-in-failures", max: 1_000, windowSeconds: 300 };
/** Failures of one address on all emails: alone it cannot use up what all addresses have together. */
const OF_ADDRESS: AttemptLimit = { name: "sign-in-address", max: 200, windowSeconds: 300 };
const EVERYONE = "all";

/** What came of a sign-in: the person and the hash that was checked, or why not. `wrong` never tells whether the email is known. */
export type SignIn =
  | { personId: string; passwordHash: string }
  | { refused: "wrong" }
  | { refused: "too_many"; retryAfterSeconds: number };

/** Checks an email and a password that came from `address`; a guess is counted before it is checked. */
export async function signIn(
  core: Core,
  { email, password, address }: { email: string; password: string; address: string },
): Promise<SignIn> {
  const folded = email.trim().toLowerCase();
  const subject = createHash("sha256").update(`${address}\0${folded}`).digest("base64url");
  const all = await look(core, ALL_FAILURES, EVERYONE);
  if (all.hits >= all.max) return { refused: "too_many", retryAfterSeconds: all.resetSeconds };
  const own = await look(core, OF_ADDRESS, address);
  if (own.hits >= own.max) return { refused: "too_many", retryAfterSeconds: own.resetSeconds };
  const guesses = await count(core, GUESSES, subject);
  if (guesses.hits > guesses.max) return { refused: "too_many", retryAfterSeconds: guesses.resetSeconds };

  const person = await core.store.system((tx) => selectPersonByEmail(tx, folded));
  const passwordHash = person?.password_hash ?? null;
  const matches = await verifyPassword(password, passwordHash);
  if (!matches || person === undefined || passwordHash === null) {
    await count(core, OF_ADDRESS, address);
    await count(core, ALL_FAILURES, EVERYONE);
    return { refused: "wrong" };
  }
  await forget(core, GUESSES, subject);
  return { personId: person.person_id, passwordHash };
}

import { hash } from "node:crypto";
import { type Core, nowOf } from "../../src/core/gate/dependencies.ts";
import { admitGuess, forgetGuesses, type GuessDelay } from "../../src/store/identity/sign-in-limits.ts";
import type { Transaction } from "../../src/store/store.ts";
import { tellPerson } from "../account-acts.ts";
import { isKnownAddress, rememberSignInAddress } from "../known-addresses.ts";
import { type KnownBrowser, knownFor } from "../known-browsers.ts";
import { recoveryCodeHash, stepOfCode } from "./codes.ts";
import { selectFactor, updateLastStep, useRecoveryCode } from "./queries.ts";

/** For six digits, three of which are valid at any time: guessing with a known password takes years. */
const GUESSES: GuessDelay = { free: 5, firstSeconds: 30, mostSeconds: 900, forgetSeconds: 86_400 };

/** The result of checking a code. */
export type CodeChecked = { ok: true } | { refused: "wrong" } | { refused: "too_many"; retryAfterSeconds: number };

/** The row that a secret's ciphertext is bound to. */
export function factorPlace(personId: string) {
  return `second_factors/${personId}`;
}

/** Whether sign-ins of a person require a second factor. */
export async function hasSecondFactor(core: Core, personId: string): Promise<boolean> {
  return (await core.store.directory((tx) => selectFactor(tx, personId))) !== undefined;
}

interface CodeAttempt {
  readonly personId: string;
  /** The person's current one, which they have proved. */
  readonly passwordHash: string;
  readonly code: string;
  readonly address: string;
  /** Where the person signed in before, if the attempt comes from there. */
  readonly browser: KnownBrowser | null;
}

/**
 * Checks a one-time code of the app, or a recovery code. The attempt is counted before the check, and by itself in the browsers
 * and for each address that the person signed in from before: guesses with a stolen password do not lock them out there.
 */
export async function checkCode(core: Core, attempt: CodeAttempt): Promise<CodeChecked> {
  const { personId, code, address } = attempt;
  const own = knownFor(attempt.browser, attempt);
  const isOwn = own?.secondFactor === true;
  const isKnown = isOwn || (await isKnownAddress(core, personId, address));
  const place = isOwn ? `browser ${own.proof}` : address;
  const subject = `second-factor:${personId}${isKnown ? `:${hash("sha256", place, "base64url")}` : ""}`;
  const admit = { subject, now: nowOf(core), delay: GUESSES };
  const wait = await core.store.directory((tx) => admitGuess(tx, admit), subject);
  if (wait > 0) return { refused: "too_many", retryAfterSeconds: wait };
  return core.store.directory(async (tx) => {
    if (!(await proves(core, tx, personId, code))) return { refused: "wrong" };
    await forgetGuesses(tx, subject);
    await rememberSignInAddress(tx, core, personId, address);
    return { ok: true };
  }, personId);
}

/** Whether a code is right, and uses it up. */
async function proves(core: Core, tx: Transaction, personId: string, code: string): Promise<boolean> {
  const factor = await selectFactor(tx, personId, "locked");
  if (factor === undefined) return false;
  const step = stepOfCode(core.secrets.decrypt(factor.secret, factorPlace(personId)), code, core.clock.now());
  if (step !== null && step > BigInt(factor.last_step)) {
    await updateLastStep(tx, personId, step);
    return true;
  }
  const recovery = recoveryCodeHash(code);
  if (recovery === null || !(await useRecoveryCode(tx, personId, recovery))) return false;
  await tellPerson(tx, core, { notice: "recovery_code_used", personId });
  return true;
}

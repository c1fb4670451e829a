import { type Core, nowOf } from "../../src/core/gate/dependencies.ts";
import { admitGuess, forgetGuesses, type GuessDelay } from "../../src/store/identity/sign-in-limits.ts";
import type { Transaction } from "../../src/store/store.ts";
import { recoveryCodeHash, stepOfCode } from "./codes.ts";
import { selectFactor, updateFactor, useRecoveryCode } from "./queries.ts";

/** Of six digits, three of which are right at any time: a guesser who knows the password needs years. */
const GUESSES: GuessDelay = { free: 5, firstSeconds: 30, mostSeconds: 900, forgetSeconds: 86_400 };

/** How a code was answered. */
export type CodeChecked = { ok: true } | { refused: "wrong" } | { refused: "too_many"; retryAfterSeconds: number };

/** Where a person's secret stands: it decrypts nowhere else. */
export function factorPlace(personId: string): string {
  return `second_factors/${personId}`;
}

/** Whether a person has a second factor that sign-ins ask for. */
export async function hasSecondFactor(core: Core, personId: string): Promise<boolean> {
  const factor = await core.store.directory((tx) => selectFactor(tx, personId));
  return factor !== undefined && factor.confirmed_at !== null;
}

/** Checks a code of the app, each of which works once, or a recovery code. A guess is counted before it is checked. */
export async function checkCode(core: Core, personId: string, code: string): Promise<CodeChecked> {
  const subject = `second-factor:${personId}`;
  const wait = await core.store.directory((tx) => admitGuess(tx, { subject, now: nowOf(core), delay: GUESSES }));
  if (wait > 0) return { refused: "too_many", retryAfterSeconds: wait };
  return core.store.directory(async (tx) => {
    if (!(await proves(core, tx, { personId, code, isConfirmed: true }))) return { refused: "wrong" };
    await forgetGuesses(tx, subject);
    return { ok: true };
  });
}

/** Whether a code is right, and uses it up; `isConfirmed`: of a factor that sign-ins ask for, or of one that is being set up. */
export async function proves(
  core: Core,
  tx: Transaction,
  { personId, code, isConfirmed }: { personId: string; code: string; isConfirmed: boolean },
): Promise<boolean> {
  const factor = await selectFactor(tx, personId, "locked");
  if (factor === undefined || (factor.confirmed_at !== null) !== isConfirmed) return false;
  const step = stepOfCode(core.secrets.decrypt(factor.secret, factorPlace(personId)), code, core.clock.now());
  if (step !== null && step > BigInt(factor.last_step)) {
    await updateFactor(tx, personId, { last_step: String(step) });
    return true;
  }
  const recovery = recoveryCodeHash(code);
  return isConfirmed && recovery !== null && useRecoveryCode(tx, personId, recovery);
}

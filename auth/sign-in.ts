import { hash as digestOf } from "node:crypto";
import { type Core, nowOf } from "../src/core/gate/dependencies.ts";
import { FairTurns, TooBusy } from "../src/core/shared/fair-turns.ts";
import { admitGuess, forgetGuesses, type GuessDelay } from "../src/store/identity/sign-in-limits.ts";
import { type AttemptLimit, type Attempts, count, look } from "./attempt-limits.ts";
import { isKnownAddress, rememberSignInAddress } from "./known-addresses.ts";
import { verifyPassword } from "./passwords.ts";
import { selectFactor } from "./second-factor/queries.ts";
import { selectPersonByEmail } from "./session-queries.ts";
import { recordFailedSignIn } from "./sign-in-trail.ts";
import { nextStep } from "./steps.ts";

const DAY_SECONDS = 86_400;
/** Per address and account, so that guessing locks out only the guesser. */
const GUESSES: GuessDelay = { free: 10, firstSeconds: 30, mostSeconds: 900, forgetSeconds: DAY_SECONDS };
/** For an address the person signed in from before: somebody else there can delay them only this long. */
const GUESSES_WHERE_KNOWN: GuessDelay = { ...GUESSES, firstSeconds: 1, mostSeconds: 5 };
/** Failures on one account from all addresses that its person never signed in from, against distributed guessing. */
const OF_ACCOUNT: AttemptLimit = { name: "sign-in-account", max: 100, windowSeconds: 900 };
/** Failures from one address on accounts of people who never signed in from it. */
const OF_ADDRESS: AttemptLimit = { name: "sign-in-address", max: 200, windowSeconds: 300 };

/** Checking a password takes a thread, 19 MiB and 30 ms: half of the thread pool stays free for everything else. */
const checks = new FairTurns({ concurrency: 2, waitingOfSource: 20, sources: 500 });
const BUSY_SECONDS = 5;

/** The person and the hash that was checked, or the reason; `wrong` never tells whether the email is known. */
export type SignIn =
  | { personId: string; passwordHash: string }
  | { refused: "wrong" }
  | { refused: "too_many"; retryAfterSeconds: number };

interface SignInAttempt {
  email: string;
  password: string;
  /** The source that the attempt is counted for, see {@link sourceOf}. */
  address: string;
  requestId?: string;
}

/** Checks email and password; a guess is counted before it is checked (completions §8), and a wrong one is audited. */
export async function signIn(core: Core, attempt: SignInAttempt): Promise<SignIn> {
  const { outcome, record } = await judge(core, attempt);
  await record?.();
  return outcome;
}

/**
 * The same for somebody unknown: a wrong password is answered at a step, before or after it was recorded, so that the duration
 * does not tell whether the email has an account, or in how many workspaces.
 */
export async function signInAtStep(core: Core, attempt: SignInAttempt): Promise<SignIn> {
  const began = performance.now();
  const { outcome, record } = await judge(core, attempt);
  if (record === null) return outcome;
  record().catch((err: unknown) => core.log.error({ err }, "sign_in.failure.not_recorded"));
  await nextStep(began);
  return outcome;
}

/** What comes of an attempt, and what records it where the password was wrong. */
async function judge(
  core: Core,
  { email, password, address, requestId = core.newId() }: SignInAttempt,
): Promise<{ outcome: SignIn; record: (() => Promise<void>) | null }> {
  const refused = (retryAfterSeconds: number) =>
    ({ outcome: { refused: "too_many", retryAfterSeconds }, record: null }) as const;
  const account = digest(email.trim().toLowerCase());
  const subject = digest(`${address}\0${account}`);
  const { person, isKnown } = await recognise(core, email, address);
  if (!isKnown) {
    for (const { hits, max, resetSeconds } of await standings(core, account, address))
      if (hits >= max) return refused(resetSeconds);
  }
  const delay = isKnown ? GUESSES_WHERE_KNOWN : GUESSES;
  const wait = await core.store.directory((tx) => admitGuess(tx, { subject, now: nowOf(core), delay }));
  if (wait > 0) return refused(wait);

  const passwordHash = person?.password_hash ?? null;
  const matches = await check(address, isKnown, password, passwordHash);
  if (matches === null) return refused(BUSY_SECONDS);
  if (!matches || person === undefined || passwordHash === null) {
    const record = async () => {
      if (!isKnown) await countFailure(core, account, address);
      const trail = { email: email.trim().toLowerCase(), personId: person?.person_id ?? null };
      await recordFailedSignIn(core, trail, { address, requestId });
    };
    return { outcome: { refused: "wrong" }, record };
  }
  const { person_id: personId } = person;
  await core.store.directory(async (tx) => {
    await forgetGuesses(tx, subject);
    // With a second factor it is remembered once a code was right: a stolen password makes no address the person's.
    if ((await selectFactor(tx, personId)) === undefined) await rememberSignInAddress(tx, core, personId, address);
  });
  return { outcome: { personId, passwordHash }, record: null };
}

/** The person with an email, and whether they signed in from the address before; the same work for an unknown email. */
async function recognise(core: Core, email: string, address: string) {
  const person = await core.store.directory((tx) => selectPersonByEmail(tx, email.trim().toLowerCase()));
  return { person, isKnown: await isKnownAddress(core, person?.person_id ?? NOBODY, address) };
}

const NOBODY = "00000000-0000-0000-0000-000000000000";

async function standings(core: Core, account: string, address: string): Promise<Attempts[]> {
  return [await look(core, OF_ADDRESS, address), await look(core, OF_ACCOUNT, account)];
}

async function countFailure(core: Core, account: string, address: string): Promise<void> {
  await count(core, OF_ADDRESS, address);
  await count(core, OF_ACCOUNT, account);
}

/** Null if too many sign-ins wait to be checked. */
async function check(address: string, known: boolean, password: string, hash: string | null): Promise<boolean | null> {
  try {
    return await checks.run(address, () => verifyPassword(password, hash), { known });
  } catch (error) {
    if (error instanceof TooBusy) return null;
    throw error;
  }
}

const digest = (text: string): string => digestOf("sha256", text, "base64url");

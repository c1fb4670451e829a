import { hash as digestOf } from "node:crypto";
import { type Core, nowOf } from "../src/core/gate/dependencies.ts";
import { FairTurns, TooBusy } from "../src/fair-turns.ts";
import { admitGuess, forgetGuesses, type GuessDelay } from "../src/store/identity/sign-in-limits.ts";
import { type AttemptLimit, type Attempts, count, look } from "./attempt-limits.ts";
import { networkOf } from "./failed-authentications.ts";
import { isKnownAddress, rememberSignInAddress } from "./known-addresses.ts";
import { type KnownBrowser, knownFor } from "./known-browsers.ts";
import { verifyPassword } from "./passwords.ts";
import { selectFactor } from "./second-factor/queries.ts";
import { selectPersonByEmail } from "./session-queries.ts";
import { recordFailedSignIn } from "./sign-in-trail.ts";
import { nextStep } from "./steps.ts";

const DAY_SECONDS = 86_400;
/**
 * Per address and account, so that guessing locks out only the guesser. The same where the person signed in before, or it would
 * tell who did; in browsers that the person signed in with, only tries in them count.
 */
const GUESSES: GuessDelay = { free: 10, firstSeconds: 1, mostSeconds: 15, forgetSeconds: DAY_SECONDS };
/** Failures on one account from all addresses, against distributed guessing; no limit where its person signed in before. */
const OF_ACCOUNT: AttemptLimit = { name: "sign-in-account", max: 100, windowSeconds: 900 };
/** Failures from one address, on all accounts. */
const OF_ADDRESS: AttemptLimit = { name: "sign-in-address", max: 200, windowSeconds: 300 };
/** The same of an IPv6 /48 network. */
const OF_NETWORK: AttemptLimit = { name: "sign-in-network", max: 1_000, windowSeconds: 300 };
/** An address with more failures is not to make others wait. */
const FEW_FAILURES = 3;

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
  /** Where a person signed in before, if the attempt comes from there; another person's counts for nothing. */
  browser?: KnownBrowser | null;
  requestId?: string;
}

/** Checks email and password; a guess is counted before it is checked (completions §8), and a wrong one is audited. */
export async function signIn(core: Core, attempt: SignInAttempt): Promise<SignIn> {
  const { outcome, record } = await judge(core, attempt);
  await record?.();
  return outcome;
}

/**
 * The same for somebody unknown: a refusal is answered at a step, before or after it was recorded, so that the duration does not
 * tell whether the email has an account, in how many workspaces, or whether its person signed in from the address before.
 */
export async function signInAtStep(core: Core, attempt: SignInAttempt): Promise<SignIn> {
  const began = performance.now();
  const { outcome, record } = await judge(core, attempt);
  if ("personId" in outcome) return outcome;
  record?.().catch((err: unknown) => core.log.error({ err }, "sign_in.failure.not_recorded"));
  await nextStep(began);
  return outcome;
}

/** What comes of an attempt, and what records it where the password was wrong. */
async function judge(
  core: Core,
  { email, password, address, browser = null, requestId = core.newId() }: SignInAttempt,
): Promise<{ outcome: SignIn; record: (() => Promise<void>) | null }> {
  const tooMany = (retryAfterSeconds: number) => ({ refused: "too_many", retryAfterSeconds }) as const;
  const refused = (retryAfterSeconds: number) => ({ outcome: tooMany(retryAfterSeconds), record: null });
  const account = digest(email.trim().toLowerCase());
  const { person, isAddressKnown } = await recognise(core, email, address);
  const passwordHash = person?.password_hash ?? null;
  const own = knownFor(browser, { personId: person?.person_id ?? NOBODY, passwordHash });
  const isKnown = isAddressKnown || own !== null;
  // All browsers of a person are one source: each sign-in makes another known.
  const source = own?.personId ?? address;
  const counters = countersOf(address, account);
  const failures = () => Promise.all(counters.map(([limit, subject]) => look(core, limit, subject)));
  // There nothing is to be hidden, so that others' failures change no answer.
  const exhausted = (counts: readonly Attempts[]) =>
    own === null ? counts.find(({ hits, max }) => hits >= max) : undefined;
  const found = await failures();
  let over = exhausted(found);
  if (over !== undefined && !isKnown) return refused(over.resetSeconds);
  // Beyond a limit known addresses alone get here: counted apart, so that after it the answers are still the same.
  const subject = digest([source, account, own?.proof ?? "", ...(over === undefined ? [] : ["over"])].join("\0"));
  const admit = { subject, now: nowOf(core), delay: GUESSES };
  const wait = await core.store.directory((tx) => admitGuess(tx, admit), subject);
  if (wait > 0) return refused(over?.resetSeconds ?? wait);

  const turn = { known: isKnown, mayCrowd: isKnown || (found[0]?.hits ?? 0) <= FEW_FAILURES };
  const matches = await inTurn(source, turn, async () => {
    // Again, and counted before the turn ends: many that are sent at once are all looked at before the first is checked.
    over ??= exhausted(await failures());
    if (over !== undefined && !isKnown) return false;
    const isRight = await verifyPassword(password, passwordHash);
    if (!isRight) await Promise.all(counters.map(([limit, subject]) => count(core, limit, subject)));
    return isRight;
  });
  if (matches === null) return refused(BUSY_SECONDS);
  if (over !== undefined && !isKnown) return refused(over.resetSeconds);
  if (!matches || person === undefined || passwordHash === null) {
    const record = async () => {
      const trail = { email: email.trim().toLowerCase(), personId: person?.person_id ?? null };
      await recordFailedSignIn(core, trail, { address, requestId });
    };
    return { outcome: over === undefined ? { refused: "wrong" } : tooMany(over.resetSeconds), record };
  }
  const { person_id: personId } = person;
  await core.store.directory(async (tx) => {
    await forgetGuesses(tx, subject);
    // With a second factor it is remembered once a code was right: a stolen password makes no address the person's.
    if ((await selectFactor(tx, personId)) === undefined) await rememberSignInAddress(tx, core, personId, address);
  });
  return { outcome: { personId, passwordHash }, record: null };
}

/** Where failures are counted; the address comes first. */
function countersOf(address: string, account: string): [AttemptLimit, string][] {
  const network = networkOf(address);
  const own: [AttemptLimit, string][] = [
    [OF_ADDRESS, address],
    [OF_ACCOUNT, account],
  ];
  return network === null ? own : [...own, [OF_NETWORK, network]];
}

/** The person with an email, and whether they signed in from the address before; the same work for an unknown email. */
async function recognise(core: Core, email: string, address: string) {
  const person = await core.store.directory((tx) => selectPersonByEmail(tx, email.trim().toLowerCase()));
  return { person, isAddressKnown: await isKnownAddress(core, person?.person_id ?? NOBODY, address) };
}

const NOBODY = "00000000-0000-0000-0000-000000000000";

/** Null if too many sign-ins wait to be checked. */
async function inTurn(
  source: string,
  turn: { known: boolean; mayCrowd: boolean },
  check: () => Promise<boolean>,
): Promise<boolean | null> {
  try {
    return await checks.run(source, check, turn);
  } catch (error) {
    if (error instanceof TooBusy) return null;
    throw error;
  }
}

const digest = (text: string): string => digestOf("sha256", text, "base64url");

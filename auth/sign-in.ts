import { hash as digestOf } from "node:crypto";
import { type Core, nowOf } from "../src/core/gate/dependencies.ts";
import { FairTurns, TooBusy } from "../src/core/shared/fair-turns.ts";
import {
  admitGuess,
  forgetGuesses,
  type GuessDelay,
  knowsAddress,
  rememberAddress,
} from "../src/store/identity/sign-in-limits.ts";
import { type AttemptLimit, type Attempts, count, look } from "./attempts.ts";
import { verifyPassword } from "./passwords.ts";
import { selectPersonByEmail } from "./session-queries.ts";
import { recordFailedSignIn } from "./sign-in-trail.ts";

const DAY_SECONDS = 86_400;
/** Counted per address and account: guessing locks out the guesser only. */
const GUESSES: GuessDelay = { free: 10, firstSeconds: 30, mostSeconds: 900, forgetSeconds: DAY_SECONDS };
/** Where the person signed in from before, somebody else at the address can make them wait no longer than this. */
const GUESSES_WHERE_KNOWN: GuessDelay = { ...GUESSES, firstSeconds: 1, mostSeconds: 5 };
/** Failures on one account of all addresses that its person never signed in from, against guessing spread over many. */
const OF_ACCOUNT: AttemptLimit = { name: "sign-in-account", max: 100, windowSeconds: 900 };
/** Failures of one address on accounts of people who never signed in from it. */
const OF_ADDRESS: AttemptLimit = { name: "sign-in-address", max: 200, windowSeconds: 300 };

/** Addresses of each person that are remembered, and for how long after the last sign-in from them. */
const ADDRESSES_KNOWN = 20;
const ADDRESS_KNOWN_MS = 90 * DAY_SECONDS * 1_000;

/** A password takes a thread, 19 MiB and some 30 ms to check: half of the pool's threads stay free for everything else. */
const checks = new FairTurns({ concurrency: 2, waitingOfSource: 20, sources: 500 });
const BUSY_SECONDS = 5;

/** What came of a sign-in: the person and the hash that was checked, or why not. `wrong` never tells whether the email is known. */
export type SignIn =
  | { personId: string; passwordHash: string }
  | { refused: "wrong" }
  | { refused: "too_many"; retryAfterSeconds: number };

interface SignInAttempt {
  email: string;
  password: string;
  /** What the attempt is counted for: {@link sourceOf} of where it came from. */
  address: string;
  requestId?: string;
}

/**
 * Checks an email and a password; a guess is counted before it is checked (completions §8), and a wrong one stands in the
 * audit trail.
 */
export async function signIn(
  core: Core,
  { email, password, address, requestId = core.newId() }: SignInAttempt,
): Promise<SignIn> {
  const account = digest(email.trim().toLowerCase());
  const subject = digest(`${address}\0${account}`);
  const { person, isKnown } = await recognise(core, email, address);
  if (!isKnown) {
    for (const { hits, max, resetSeconds } of await standings(core, account, address))
      if (hits >= max) return { refused: "too_many", retryAfterSeconds: resetSeconds };
  }
  const delay = isKnown ? GUESSES_WHERE_KNOWN : GUESSES;
  const wait = await core.store.directory((tx) => admitGuess(tx, { subject, now: nowOf(core), delay }));
  if (wait > 0) return { refused: "too_many", retryAfterSeconds: wait };

  const passwordHash = person?.password_hash ?? null;
  const matches = await check(address, isKnown, password, passwordHash);
  if (matches === null) return { refused: "too_many", retryAfterSeconds: BUSY_SECONDS };
  if (!matches || person === undefined || passwordHash === null) {
    if (!isKnown) await countFailure(core, account, address);
    const trail = { email: email.trim().toLowerCase(), personId: person?.person_id ?? null };
    await recordFailedSignIn(core, trail, { address, requestId });
    return { refused: "wrong" };
  }
  const { person_id: personId } = person;
  const hash = addressHashes(core, personId, address)[0] ?? "";
  await core.store.directory(async (tx) => {
    await forgetGuesses(tx, subject);
    await rememberAddress(tx, { personId, hash, now: nowOf(core), most: ADDRESSES_KNOWN });
  });
  return { personId, passwordHash };
}

/** The person of an email, and whether they signed in from the address before; the same work for an email that nobody has. */
async function recognise(core: Core, email: string, address: string) {
  const since = new Date(core.clock.now().getTime() - ADDRESS_KNOWN_MS).toISOString();
  const person = await core.store.directory((tx) => selectPersonByEmail(tx, email.trim().toLowerCase()));
  const personId = person?.person_id ?? NOBODY;
  const hashes = addressHashes(core, personId, address);
  const isKnown = await core.store.directory((tx) => knowsAddress(tx, { personId, hashes, since }));
  return { person, isKnown };
}

const NOBODY = "00000000-0000-0000-0000-000000000000";

/** Bound to the person: nobody can tell from the store who signs in from the same place, or where that is. */
function addressHashes({ secrets }: Pick<Core, "secrets">, personId: string, address: string): string[] {
  return secrets.seals("address of a sign-in", `${personId}\0${address}`).map((seal) => seal.toString("base64url"));
}

async function standings(core: Core, account: string, address: string): Promise<Attempts[]> {
  return [await look(core, OF_ADDRESS, address), await look(core, OF_ACCOUNT, account)];
}

async function countFailure(core: Core, account: string, address: string): Promise<void> {
  await count(core, OF_ADDRESS, address);
  await count(core, OF_ACCOUNT, account);
}

/** Null where too many wait to be checked. */
async function check(address: string, known: boolean, password: string, hash: string | null): Promise<boolean | null> {
  try {
    return await checks.run(address, () => verifyPassword(password, hash), { known });
  } catch (error) {
    if (error instanceof TooBusy) return null;
    throw error;
  }
}

const digest = (text: string): string => digestOf("sha256", text, "base64url");

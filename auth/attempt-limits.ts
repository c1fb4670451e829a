import type { Core } from "../src/core/gate/dependencies.ts";
import { windowAt } from "../src/core/gate/rate-limits.ts";
import { ServiceError } from "../src/core/kernel/error.ts";
import { refusals } from "../src/signals.ts";
import {
  type AttemptCounter,
  countAttempt,
  countedAttempts,
  forgetAttempts,
} from "../src/store/identity/failed-attempts.ts";
import type { Transaction } from "../src/store/store.ts";

/** The number of attempts per subject that are allowed in each fixed window. */
export interface AttemptLimit {
  /** Separates the subjects of different limits. */
  readonly name: string;
  readonly max: number;
  readonly windowSeconds: number;
}

/** A subject's count in the current window. */
export interface Attempts {
  readonly hits: number;
  readonly max: number;
  /** Seconds until the window ends; at least 1. */
  readonly resetSeconds: number;
}

/** The error for attempts beyond a limit. */
export function rateLimitExceeded(message: string, { resetSeconds }: Pick<Attempts, "resetSeconds">) {
  return new ServiceError("rate_limit_exceeded", message, { retryAfterSeconds: resetSeconds });
}

/** What a person beyond a limit is told. */
export function triedTooOften(seconds: number) {
  const minutes = Math.ceil(seconds / 60);
  return `Too many attempts. Try again ${minutes === 1 ? "in a minute" : `in ${minutes} minutes`}.`;
}

type Counting = Pick<Core, "store" | "clock">;

/** Counts one attempt, exactly, across all processes. */
export async function count(core: Counting, limit: AttemptLimit, subject: string): Promise<Attempts> {
  const attempts = await standing(core, limit, subject, countAttempt);
  if (attempts.hits > limit.max) refusals.tell({ route: limit.name, reason: "rate_limit_exceeded" });
  return attempts;
}

/** Reads the count without increasing it. */
export function look(core: Counting, limit: AttemptLimit, subject: string): Promise<Attempts> {
  return standing(core, limit, subject, countedAttempts);
}

/** Resets the current window. */
export async function forget(core: Counting, limit: AttemptLimit, subject: string): Promise<void> {
  await standing(core, limit, subject, async (tx, counter) => {
    await forgetAttempts(tx, counter);
    return 0;
  });
}

async function standing(
  core: Counting,
  { name, max, windowSeconds }: AttemptLimit,
  subject: string,
  work: (tx: Transaction, counter: AttemptCounter) => Promise<number>,
): Promise<Attempts> {
  const { start: windowStart, secondsLeft: resetSeconds } = windowAt(core.clock.now(), windowSeconds);
  const counted = `${name}:${subject}`;
  // Only those that count wait for each other.
  const about = work === countedAttempts ? undefined : counted;
  const hits = await core.store.directory((tx) => work(tx, { subject: counted, windowStart }), about);
  return { hits, max, resetSeconds };
}

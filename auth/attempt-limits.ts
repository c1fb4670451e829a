import type { Core } from "../src/core/gate/dependencies.ts";
import { windowAt } from "../src/core/gate/rate-limits.ts";
import { ServiceError } from "../src/core/kernel/error.ts";
import { setNewest } from "../src/gateways/newest.ts";
import { refusals } from "../src/signals.ts";
import { type AttemptCounter, countAttempt, countedAttempts } from "../src/store/identity/failed-attempts.ts";
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

/** Counts one attempt, exactly, across all processes; none of a subject that is known to be beyond the limit. */
export async function count(core: Counting, limit: AttemptLimit, subject: string): Promise<Attempts> {
  const attempts = await standing(core, limit, subject, { over: limit.max + 1, work: countAttempt });
  if (attempts.hits > limit.max) refusals.tell({ route: limit.name, reason: "rate_limit_exceeded" });
  return attempts;
}

/** Reads the count without increasing it. */
export function look(core: Counting, limit: AttemptLimit, subject: string): Promise<Attempts> {
  return standing(core, limit, subject, { over: limit.max, work: countedAttempts });
}

async function standing(
  core: Counting,
  { name, max, windowSeconds }: AttemptLimit,
  subject: string,
  { over, work }: { over: number; work: (tx: Transaction, counter: AttemptCounter) => Promise<number> },
): Promise<Attempts> {
  const { start: windowStart, secondsLeft: resetSeconds } = windowAt(core.clock.now(), windowSeconds);
  const counter = { subject: `${name}:${subject}`, windowStart };
  // Only those that count wait for each other.
  const about = work === countedAttempts ? undefined : counter.subject;
  const ask = () => core.store.directory((tx) => work(tx, counter), about);
  return { hits: await askUnlessOver(core, counter, over, ask), max, resetSeconds };
}

const MOST_REMEMBERED = 10_000;
/** By the clock that tells the windows. */
const remembered = new WeakMap<Core["clock"], Map<string, { windowStart: string; hits: number }>>();

/**
 * What `ask` counts for a counter. Once that is `over`, which it stays until its window ends, the store is not asked
 * again: a flood of refused requests must not keep it busy.
 */
export async function askUnlessOver(
  { clock }: Pick<Core, "clock">,
  { subject, windowStart }: AttemptCounter,
  over: number,
  ask: () => Promise<number>,
): Promise<number> {
  const known = remembered.get(clock) ?? new Map();
  remembered.set(clock, known);
  const found = known.get(subject);
  if (found?.windowStart === windowStart) return found.hits;
  const hits = await ask();
  if (hits >= over) setNewest(known, subject, { windowStart, hits }, MOST_REMEMBERED);
  return hits;
}

import type { Instants } from "../../store/work-queue.ts";
import { type Core, nowOf } from "./dependencies.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Longer than any pause or lease of work there is, the longest being an hour. */
const FARTHEST_MS = 2 * HOUR_MS;

/**
 * A pause or a lease that lasts beyond this was written by a clock that was wrong: it counts as over, or work would wait until
 * that time comes. Times that people and workflows choose are not held against it.
 */
export function farthestOf(now: string) {
  return new Date(Date.parse(now) + FARTHEST_MS).toISOString();
}

/** How work is tried again whose attempt failed. */
export interface RetryPolicy {
  /** Milliseconds after the first attempt, the second and so on; the last one repeats. */
  readonly pausesMs: readonly number[];
  /** Attempts after which it is given up; without it, never. */
  readonly mostAttempts?: number;
}

const inMinutes = (...minutes: number[]) => minutes.map((one) => one * MINUTE_MS);

/** About a day of attempts once an hour. */
const A_DAY = 27;

/** Why an attempt failed, and how the work is tried again. */
export const RETRY = {
  /** The service's own failure: after a second, then twice as long each time. */
  unexpected: { pausesMs: [1, 2, 4, 8, 16, 32, 64, 128, 256, 300].map((seconds) => seconds * SECOND_MS) },
  /** A receipt whose push the service itself failed at: its ERP takes no other meanwhile. */
  push: { pausesMs: [SECOND_MS] },
  /** A mail server that cannot take a message now. */
  mail: { pausesMs: inMinutes(1, 5, 15, 30, 60), mostAttempts: A_DAY },
  /** A workflow's links that their provider did not make. */
  links: { pausesMs: inMinutes(1, 5, 15, 60), mostAttempts: A_DAY },
  /** Links of which nobody knows yet whether they were made. */
  unclear: { pausesMs: inMinutes(5) },
  /** Somebody else is at what the work needs. */
  busy: { pausesMs: inMinutes(1) },
  /** A payment provider that does not answer. */
  unreachable: { pausesMs: inMinutes(1) },
  /** A payment provider that refuses: a person has to act first. */
  refused: { pausesMs: inMinutes(60) },
} as const satisfies Record<string, RetryPolicy>;

/** When something is polled again that no failure put off. */
export const POLL_AGAIN = {
  /** At a provider's list of events. */
  events: { pausesMs: inMinutes(15) },
  /** Whether a link that belongs into a message has been made. */
  making: { pausesMs: [2 * SECOND_MS] },
  /** Whether a customer's other message was sent. */
  underWay: { pausesMs: inMinutes(1) },
} as const satisfies Record<string, RetryPolicy>;

/** service.md §8: a push that met an unreachable ERP is tried again this often, for this long after its first attempt. */
export const PUSH_RETRY = { everyMs: 15 * MINUTE_MS, forMs: 24 * HOUR_MS } as const;

/** Pauses between the tries to release a claim, in milliseconds; after them its lease has to run out. */
export const RELEASE_PAUSES_MS = [0, 50, 200, 500] as const;

/** Whether work is tried again whose attempt number `attempts` failed. */
export function mayRetry({ mostAttempts = Number.POSITIVE_INFINITY }: RetryPolicy, attempts: number) {
  return attempts < mostAttempts;
}

/** When that is. */
export function retryAt(core: Pick<Core, "clock">, { pausesMs }: RetryPolicy, attempts = 1) {
  const pause = pausesMs[Math.min(Math.max(attempts, 1), pausesMs.length) - 1] ?? 0;
  return later(core, pause);
}

/** Of what is due, and of leases that hold, at the present. */
export const instantsOf = (core: Pick<Core, "clock">): Instants => ({
  now: nowOf(core),
  farthest: farthestOf(nowOf(core)),
});

export function later(core: Pick<Core, "clock">, milliseconds: number) {
  return new Date(core.clock.now().getTime() + milliseconds).toISOString();
}

/** Whether a worker is at a row at `now`. */
export function isHeld({ lease_expires_at: until }: { lease_expires_at: string | null }, now: string) {
  return until !== null && until > now && until <= farthestOf(now);
}

import type { Core } from "./core.ts";

/** Longer than any pause or lease of work there is, the longest being an hour. */
const FARTHEST_MS = 2 * 60 * 60_000;

/**
 * A pause or a lease that lasts beyond this was written by a clock that was wrong: it counts as over, or work would wait until
 * that time comes. Times that people and workflows choose are not held against it.
 */
export function farthestOf(now: string): string {
  return new Date(Date.parse(now) + FARTHEST_MS).toISOString();
}

const FIRST_MS = 1_000;
const LONGEST_MS = 5 * 60_000;

/**
 * When work is tried again whose attempt number `attempts` failed unexpectedly: after a second, then twice as long each
 * time, five minutes at most. Whoever failed gives the lease back with it, so that nothing waits for a lease nobody holds.
 */
export function retryAt(core: Pick<Core, "clock">, attempts: number): string {
  const delay = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(Math.max(attempts, 1) - 1, 16));
  return new Date(core.clock.now().getTime() + delay).toISOString();
}

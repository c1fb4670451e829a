import type { Core } from "./core.ts";

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

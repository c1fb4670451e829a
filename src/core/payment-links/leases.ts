import { type Core, nowOf } from "../gate/dependencies.ts";
import { later } from "../gate/retry.ts";

/** How long the worker that reserved links is believed to be at work on them. */
export const RESERVED_MS = 2 * 60_000;

/** The lease of the caller that is about to withdraw a link at its provider; without `leaseMs` anybody may at once. */
export function callerWithdraws(core: Pick<Core, "clock">, leaseMs: number) {
  return { claim_id: null, lease_expires_at: leaseMs > 0 ? later(core, leaseMs) : null, next_attempt_at: nowOf(core) };
}

/** Requests a minute (service.md §8, completions §8): one key or connection, and all of a tenant's together. */
export const REQUEST_LIMITS = { caller: 120, tenant: 600, windowSeconds: 60 } as const;

/** Failed authentications of one source address, on both routes together (completions §8). */
export const FAILED_ATTEMPT_LIMITS = { address: 20, windowSeconds: 300 } as const;

/** A fixed stretch of time that requests are counted in. */
export interface RateWindow {
  /** ISO 8601 UTC, on a multiple of the window's length. */
  start: string;
  /** Whole seconds until it ends, at least 1. */
  secondsLeft: number;
}

/** The window of `seconds` that an instant lies in; the same in every process. */
export function windowAt(instant: Date, seconds: number): RateWindow {
  const length = seconds * 1_000;
  const start = Math.floor(instant.getTime() / length) * length;
  return {
    start: new Date(start).toISOString(),
    secondsLeft: Math.max(1, Math.ceil((start + length - instant.getTime()) / 1_000)),
  };
}

/** What the `RateLimit-*` headers tell: the limit closest to being reached, as of this request. */
export interface Headroom {
  limit: number;
  remaining: number;
  /** Seconds until the count starts again. */
  resetSeconds: number;
}

export function headroom(limit: number, hits: number, { secondsLeft }: RateWindow): Headroom {
  return { limit, remaining: Math.max(0, limit - hits), resetSeconds: secondsLeft };
}

/** The one of several limits that leaves the least. */
export function tightest(first: Headroom, ...others: Headroom[]) {
  return others.reduce((least, other) => (other.remaining < least.remaining ? other : least), first);
}

/** The response headers that tell it: the three of the IETF draft up to 06, seconds as a number from now. */
export function rateLimitHeaders({ limit, remaining, resetSeconds }: Headroom): Record<string, string> {
  return {
    "RateLimit-Limit": String(limit),
    "RateLimit-Remaining": String(remaining),
    "RateLimit-Reset": String(resetSeconds),
  };
}

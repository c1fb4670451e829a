import type { Core } from "../src/core/gate/dependencies.ts";
import { asServiceError } from "../src/core/gate/error.ts";
import { type AttemptLimit, count, rateLimitExceeded } from "./attempts.ts";
import { sourceOf } from "./failed-authentications.ts";

/** A provider tells of all its customers' payments from few addresses, and one workspace's secret may be wrong. */
const REFUSED: AttemptLimit = { name: "webhook-refusals", max: 300, windowSeconds: 300 };

/**
 * Counts notifications that were refused against their address; those beyond the limit are answered 429. What is signed by the
 * provider is not asked about.
 */
export function webhookRefusals(core: Pick<Core, "store" | "clock">) {
  return async (error: unknown, address: string | undefined): Promise<unknown> => {
    if (asServiceError(error).httpStatus >= 500) return error;
    const refused = await count(core, REFUSED, sourceOf(address));
    if (refused.hits <= refused.max) return error;
    return rateLimitExceeded("Too many refused notifications from this address.", refused);
  };
}

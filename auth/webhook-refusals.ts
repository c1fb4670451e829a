import type { Core } from "../src/core/gate/dependencies.ts";
import { asServiceError } from "../src/core/kernel/error.ts";
import { type AttemptLimit, count, rateLimitExceeded } from "./attempt-limits.ts";
import { sourceOf } from "./failed-authentications.ts";

/** A provider sends notifications for all its customers from few addresses, and one workspace's secret may be wrong. */
const REFUSED: AttemptLimit = { name: "webhook-refusals", max: 300, windowSeconds: 300 };

/** Counts rejected notifications per address, answered with 429 beyond the limit; signed ones are not limited. */
export function webhookRefusals(core: Pick<Core, "store" | "clock">) {
  return async (error: unknown, address: string | undefined): Promise<unknown> => {
    if (asServiceError(error).httpStatus >= 500) return error;
    const refused = await count(core, REFUSED, sourceOf(address));
    if (refused.hits <= refused.max) return error;
    return rateLimitExceeded("Too many refused notifications from this address.", refused);
  };
}

import { isStoreUnavailable } from "../store/unavailable.ts";
import type { Log } from "./core.ts";

/**
 * Logs what failed unexpectedly: with its stack as an error, but for a store that cannot be had, which is no fault of the
 * work and told of once for all (`store.lost`); that is a warning with its reason.
 */
export function tellFailure(log: Pick<Log, "warn" | "error">, error: unknown, message: string, fields = {}): void {
  if (isStoreUnavailable(error)) log.warn({ ...fields, reason: reasonOf(error) }, message);
  else log.error({ ...fields, err: error }, message);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}

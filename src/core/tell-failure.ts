import { isStoreUnavailable } from "../store/unavailable.ts";
import type { Log } from "./core.ts";

/** Logs what failed unexpectedly, with its stack; of a store that cannot be had, which is no fault of the work, its reason alone. */
export function tellFailure(log: Pick<Log, "error">, error: unknown, message: string, fields = {}): void {
  if (isStoreUnavailable(error)) log.error({ ...fields, reason: reasonOf(error) }, message);
  else log.error({ ...fields, err: error }, message);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}

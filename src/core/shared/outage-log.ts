import { isStoreUnavailable } from "../../store/unavailable.ts";
import type { Log } from "../gate/dependencies.ts";
import { boundedLog } from "./bounded-log.ts";

/** Failed calls a minute that are written while the store is away; the rest are counted. */
const OUTAGE_LINES_A_MINUTE = 30;

/**
 * A log in which the store's absence is no fault of the work that met it: such a failure has a `reason` instead of a stack, and
 * only the first few each minute are written. When the store was lost and when it is back has a line of its own.
 */
export function outageLog(log: Log, linesAMinute = OUTAGE_LINES_A_MINUTE): Log {
  const ofOutages = boundedLog(log, linesAMinute);
  const writer = (level: keyof Log) => (fields: object, message: string) => {
    const failure = "err" in fields ? fields.err : undefined;
    if (!isStoreUnavailable(failure)) return log[level](fields, message);
    const { err: _stack, ...rest } = { err: failure, ...fields };
    ofOutages[level]({ ...rest, reason: reasonOf(failure) }, message);
  };
  return { info: writer("info"), warn: writer("warn"), error: writer("error") };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}

import { isStoreUnavailable, lastCauseOf } from "../../store/unavailable.ts";
import { cleanText } from "../kernel/text.ts";
import type { Log } from "./dependencies.ts";

/** Failed calls a minute that are written while the store is away; the rest are counted. */
const OUTAGE_LINES_A_MINUTE = 30;

/**
 * A log in which the store's absence is no fault of the work that met it: such a failure has a `reason` instead of a stack, and
 * only the first few each minute are written. When the store was lost and when it is back has a line of its own.
 */
export function outageLog(log: Log): Log {
  const ofOutages = boundedLog(log, OUTAGE_LINES_A_MINUTE);
  const writer = (level: keyof Log) => (fields: object, message: string) => {
    const failure = "err" in fields ? fields.err : undefined;
    if (!isStoreUnavailable(failure)) return log[level](fields, message);
    const { err: _stack, ...rest } = { err: failure, ...fields };
    ofOutages[level]({ ...rest, reason: lastCauseOf(failure) }, message);
  };
  return { info: writer("info"), warn: writer("warn"), error: writer("error") };
}

const MINUTE_MS = 60_000;
/** Lines a minute; further ones are only counted. */
const LINES_A_MINUTE = 600;
/** Longest text of a field (in characters): ids, names and sentences are shorter. */
const LONGEST_TEXT = 250;

const shortened = (fields: object): object =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "string" ? cleanText(value, LONGEST_TEXT) : value,
    ]),
  );

/**
 * A log for events that unauthenticated callers can cause, so that they cannot fill a disk: at most `linesAMinute` lines a
 * minute, of short texts, and one more with the number of further lines by event.
 */
export function boundedLog(log: Log, linesAMinute = LINES_A_MINUTE): Log {
  let begunAt = Number.NEGATIVE_INFINITY;
  let lines = 0;
  let left = new Map<string, number>();

  function summarize() {
    if (left.size === 0) return;
    log.warn({ left_out: Object.fromEntries(left), limit: linesAMinute }, "log.lines_left_out");
    left = new Map();
  }

  function mayWrite(message: string) {
    const now = performance.now();
    if (now - begunAt >= MINUTE_MS) {
      summarize();
      begunAt = now;
      lines = 0;
    }
    lines += 1;
    if (lines <= linesAMinute) return true;
    if (left.size === 0) setTimeout(summarize, MINUTE_MS).unref();
    left.set(message, (left.get(message) ?? 0) + 1);
    return false;
  }

  return {
    info: (fields, message) => void (mayWrite(message) && log.info(shortened(fields), message)),
    warn: (fields, message) => void (mayWrite(message) && log.warn(shortened(fields), message)),
    error: (fields, message) => void (mayWrite(message) && log.error(shortened(fields), message)),
  };
}

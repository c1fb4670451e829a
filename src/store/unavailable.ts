import { storeRefusals } from "../signals.ts";

/** For `Retry-After`. */
const RETRY_AFTER_SECONDS = 5;

/** Why the store cannot be used; what callers are told, the log and metrics tell these apart. */
export type Outage = "full" | "read_only" | "connections" | "files" | "busy" | "away";

/** By SQLSTATE or its class; the first that fits. */
const BY_CODE: readonly (readonly [RegExp, Outage])[] = [
  [/^53100$/, "full"],
  [/^25006$/, "read_only"],
  [/^53300$/, "connections"],
  [/^58/, "files"],
  [/^(40|53|57014$|55P03$)/, "busy"],
];

/** By words: of what has no code, such as the last of the embedded store. */
const BY_WORDS: readonly (readonly [RegExp, Outage])[] = [
  [/No space left on device|Disk quota exceeded/, "full"],
  [/takes no writes/, "read_only"],
  [/No such file or directory|Input\/output error|folder is gone/, "files"],
  [/^the pooler had no free|^no connection to the database came free|^another transaction holds/, "busy"],
];

/** The kind of an outage, by the error that met it, or by its words. */
export function outageOf(error: unknown): Outage {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const words = error instanceof Error ? error.message : String(error);
  const known = BY_CODE.find(([pattern]) => pattern.test(code)) ?? BY_WORDS.find(([pattern]) => pattern.test(words));
  if (known !== undefined) return known[1];
  return error instanceof Error && error.cause !== undefined ? outageOf(error.cause) : "away";
}

/** The store is unavailable: unreachable, silent, full, or read-only. The transaction is undone, unless it was committing. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
  readonly retryAfterSeconds = RETRY_AFTER_SECONDS;
}

/** Another transaction holds what this one begins with: it is to be tried again, and to have no connection meanwhile. */
export class HeldByAnother extends StoreUnavailable {
  constructor(what: string) {
    super(`another transaction holds ${what}`);
  }
}

/** SQLSTATEs, or their classes, about the server and its other work (40 is a deadlock) and not about a statement. */
const OF_SERVER = /^(08|40|53|57P|57014$|55P03$|25P03$|25006$|3D000$|28|58)/;

/** What Citus says of a worker that it lost, in the words of its source: it gives these errors no SQLSTATE of their own. */
const OF_LOST_WORKER = /^(failure on connection marked as essential|could not commit transaction for shard)\b/;

/** Whether pgbouncer had no server connection in time; its message is only the name of its setting. */
export const isPoolExhausted = (error: Error): boolean => error.message === "query_wait_timeout";

export const POOL_EXHAUSTED =
  "the pooler had no free server connection: its pool (default_pool_size in pgbouncer) is too small";

export const POOL_IN_USE =
  "no connection to the database came free in time: workspaces share those of DATABASE_POOL_SIZE";

const READ_ONLY_TRANSACTION = "25006";

/** A stored value that cannot be parsed. */
export class UnreadableValue extends Error {
  override readonly name = "UnreadableValue";
}

/** A driver's error about the store as a {@link StoreUnavailable}, of which is told; any other error unchanged. */
export function unavailableFrom(error: unknown) {
  const told = asUnavailable(error);
  if (told instanceof StoreUnavailable) storeRefusals.tell({ outage: outageOf(told), reason: lastCauseOf(told) });
  return told;
}

/** What the last cause of an error says. */
export function lastCauseOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : lastCauseOf(error.cause);
}

function asUnavailable(error: unknown) {
  if (!(error instanceof Error) || error instanceof StoreUnavailable || error instanceof UnreadableValue) return error;
  if (isPoolExhausted(error)) return new StoreUnavailable(POOL_EXHAUSTED);
  // What the server itself says has a severity; what the driver or the system says is of the connection.
  const isOfServer = "code" in error && (OF_SERVER.test(String(error.code)) || OF_LOST_WORKER.test(error.message));
  const isOfStatement = "severity" in error && error.severity === "ERROR" && !isOfServer;
  return isOfStatement ? error : new StoreUnavailable("the database cannot be had", { cause: error });
}

/** Whether a failure makes its connection unusable: it ended, or its server no longer takes writes. */
export function isEndOfConnection(error: unknown) {
  if (!(error instanceof StoreUnavailable) || !(error.cause instanceof Error)) return false;
  const { cause } = error;
  const isOfStatement = "severity" in cause && cause.severity === "ERROR";
  return !isOfStatement || ("code" in cause && cause.code === READ_ONLY_TRANSACTION);
}

/** Serialization failure and deadlock. */
const UNDONE = /^(40001|40P01)$/;

/** Whether an error, or its cause, says that the server undid a transaction for another's sake: it did nothing and may be tried again. */
export function isUndone(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && UNDONE.test(String(error.code))) || isUndone(error.cause);
}

/** Whether an error, or one of its causes, is a StoreUnavailable. */
export function isStoreUnavailable(error: unknown) {
  let cause = error;
  for (let depth = 0; depth < 8 && cause instanceof Error; depth += 1) {
    if (cause instanceof StoreUnavailable) return true;
    cause = cause.cause;
  }
  return false;
}

/** For `Retry-After`. */
const RETRY_AFTER_SECONDS = 5;

/** The store is unavailable: unreachable, silent, full, or read-only. The transaction is undone, unless it was committing. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
  readonly retryAfterSeconds = RETRY_AFTER_SECONDS;

  /** Whether the server is there and only has too much to do: a lock, a statement or a free connection took too long. */
  get isBusy(): boolean {
    if (this.message === POOL_EXHAUSTED || this.message === POOL_IN_USE) return true;
    return this.cause instanceof Error && "code" in this.cause && OF_LOAD.test(String(this.cause.code));
  }
}

/** Of {@link OF_SERVER}, those caused by load: a lock or a statement that took too long, too many connections. */
const OF_LOAD = /^(53|57014$|55P03$)/;

/** SQLSTATEs, or their classes, about the server and not about a statement. */
const OF_SERVER = /^(08|53|57P|57014$|55P03$|25P03$|25006$|3D000$|28)/;

/** What Citus says of a worker that it lost, in the words of its source: it gives these errors no SQLSTATE of their own. */
const OF_LOST_WORKER = /^(failure on connection marked as essential|could not commit transaction for shard)\b/;

/** Whether pgbouncer had no server connection in time; its message is only the name of its setting. */
export const isPoolExhausted = (error: Error): boolean => error.message === "query_wait_timeout";

export const POOL_EXHAUSTED =
  "the pooler had no free server connection: its pool (default_pool_size in pgbouncer) is too small";

export const POOL_IN_USE = "all connections to the database are in use, of which DATABASE_POOL_SIZE says how many";

const READ_ONLY_TRANSACTION = "25006";

/** A stored value that cannot be parsed. */
export class UnreadableValue extends Error {
  override readonly name = "UnreadableValue";
}

/** A driver's error about the store as a {@link StoreUnavailable}; any other error unchanged. */
export function unavailableFrom(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreUnavailable || error instanceof UnreadableValue) return error;
  if (isPoolExhausted(error)) return new StoreUnavailable(POOL_EXHAUSTED);
  // What the server itself says has a severity; what the driver or the system says is of the connection.
  const isOfServer = "code" in error && (OF_SERVER.test(String(error.code)) || OF_LOST_WORKER.test(error.message));
  const isOfStatement = "severity" in error && "code" in error && !isOfServer;
  return isOfStatement ? error : new StoreUnavailable("the database cannot be had", { cause: error });
}

/** Whether a failure makes its connection unusable: it ended, or its server no longer takes writes. */
export function isEndOfConnection(error: unknown): boolean {
  if (!(error instanceof StoreUnavailable) || !(error.cause instanceof Error)) return false;
  const { cause } = error;
  const isOfStatement = "severity" in cause && cause.severity === "ERROR";
  return !isOfStatement || ("code" in cause && cause.code === READ_ONLY_TRANSACTION);
}

/** Whether an error, or one of its causes, is a StoreUnavailable. */
export function isStoreUnavailable(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < 8 && cause instanceof Error; depth += 1) {
    if (cause instanceof StoreUnavailable) return true;
    cause = cause.cause;
  }
  return false;
}

/** Seconds after which somebody who was refused may ask again. */
const RETRY_AFTER_SECONDS = 5;

/** The store cannot be had now: away, silent, full, or not taking writes. What was begun is undone, unless it was a commit. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
  readonly retryAfterSeconds = RETRY_AFTER_SECONDS;

  /** Whether the server is there and only has too much to do: a lock, a statement or a free connection took too long. */
  get isBusy(): boolean {
    if (this.message === POOL_EXHAUSTED || this.message === POOL_IN_USE) return true;
    return this.cause instanceof Error && "code" in this.cause && OF_LOAD.test(String(this.cause.code));
  }
}

/** Of {@link OF_SERVER}, those that come of load: a lock or a statement that took too long, too many connections. */
const OF_LOAD = /^(53|57014$|55P03$)/;

/** SQLSTATEs, or their classes, that tell of the server rather than of a statement. */
const OF_SERVER = /^(08|53|57P|57014$|55P03$|25P03$|25006$|3D000$|28)/;

/** Whether pgbouncer gave up somebody who waited for a server connection; it says no more than the name of its setting. */
export const isPoolExhausted = (error: Error): boolean => error.message === "query_wait_timeout";

export const POOL_EXHAUSTED =
  "the pooler had no free server connection: its pool (default_pool_size in pgbouncer) is too small";

export const POOL_IN_USE = "all connections to the database are in use, of which DATABASE_POOL_SIZE says how many";

const READ_ONLY_TRANSACTION = "25006";

/** A value of the store that nothing can be made of. */
export class UnreadableValue extends Error {
  override readonly name = "UnreadableValue";
}

/** What a driver's error says of the store itself, as a {@link StoreUnavailable}; any other as it is. */
export function unavailableFrom(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreUnavailable || error instanceof UnreadableValue) return error;
  if (isPoolExhausted(error)) return new StoreUnavailable(POOL_EXHAUSTED);
  // What the server itself says has a severity; what the driver or the system says is of the connection.
  const isOfStatement = "severity" in error && "code" in error && !OF_SERVER.test(String(error.code));
  return isOfStatement ? error : new StoreUnavailable("the database cannot be had", { cause: error });
}

/** Whether a connection is of no use after a failure: it has come to its end, or its server takes no writes any more. */
export function isEndOfConnection(error: unknown): boolean {
  if (!(error instanceof StoreUnavailable) || !(error.cause instanceof Error)) return false;
  const { cause } = error;
  const isOfStatement = "severity" in cause && cause.severity === "ERROR";
  return !isOfStatement || ("code" in cause && cause.code === READ_ONLY_TRANSACTION);
}

/** Whether a failure comes of a store that cannot be had, however it was wrapped. */
export function isStoreUnavailable(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < 8 && cause instanceof Error; depth += 1) {
    if (cause instanceof StoreUnavailable) return true;
    cause = cause.cause;
  }
  return false;
}

import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import { EmbeddedSession } from "./embedded-session.ts";
import type { PoolState } from "./store.ts";

/** The data folder is held by another process: the embedded store belongs to one (facts: it has no lock of its own). */
export class StoreLockedError extends Error {
  override readonly name = "StoreLockedError";
  constructor(directory: string) {
    super(`${directory} is in use by another process; the embedded store belongs to one process at a time`);
  }
}

/** Where a store is in memory alone: what dies there is gone. */
const MEMORY = "memory://";
/** After an accident it is opened again, waited for so long, and not more often than this. */
const REOPENING_MS = 30_000;
const REOPEN_EVERY_MS = 1_000;

/**
 * Takes the folder's lock: an exclusive SQLite transaction, which the kernel lets go of even after kill -9.
 * Returns what releases it. Throws {@link StoreLockedError}.
 */
function lockDirectory(directory: string): () => void {
  const lock = new DatabaseSync(join(directory, "store.lock"));
  try {
    lock.exec("pragma busy_timeout = 0; begin exclusive");
  } catch {
    lock.close();
    throw new StoreLockedError(directory);
  }
  return () => lock.close();
}

/**
 * The embedded store as a pool of one connection for Kysely's PostgresDialect: PGlite in a worker thread, its
 * connection lent out to one user at a time, in the order asked for. One that dies, as of a full disk, takes the work of
 * its user with it and is opened again for the next.
 */
export class EmbeddedPool implements PostgresPool {
  readonly options = {};
  /** Run whenever the store was opened again, as it was by whoever opened it first. */
  sessionStart: string | null = null;
  readonly #directory: string;
  readonly #unlock: () => void;
  #session: EmbeddedSession;
  #notBefore = 0;
  /** Users that have the connection or wait for it. */
  #users = 0;
  #turn: Promise<void> = Promise.resolve();
  #ended: Promise<void> | undefined;

  private constructor(session: EmbeddedSession, directory: string, unlock: () => void) {
    this.#session = session;
    this.#directory = directory;
    this.#unlock = unlock;
  }

  /** Opens the store below `dataDirectory` (made 0700 where missing), or one in memory when it is null. */
  static async open(dataDirectory: string | null): Promise<EmbeddedPool> {
    let directory = MEMORY;
    let unlock = (): void => undefined;
    if (dataDirectory !== null) {
      mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
      chmodSync(dataDirectory, 0o700);
      unlock = lockDirectory(dataDirectory);
      directory = join(dataDirectory, "store");
      mkdirSync(directory, { recursive: true, mode: 0o700 });
    }
    try {
      return new EmbeddedPool(await EmbeddedSession.open(directory), directory, unlock);
    } catch (error) {
      unlock();
      throw error;
    }
  }

  async connect(): Promise<PostgresPoolClient> {
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const before = this.#turn;
    this.#turn = before.then(() => done);
    this.#users += 1;
    const release = (): void => {
      this.#users -= 1;
      resolve();
    };
    await before;
    try {
      if (this.#session.failed) await this.#reopen();
    } catch (error) {
      release();
      throw error;
    }
    return new EmbeddedConnection(this.#session, release);
  }

  state(): PoolState {
    const used = Math.min(1, this.#users);
    return { pool: "embedded", used, idle: 1 - used, waiting: this.#users - used };
  }

  end(): Promise<void> {
    this.#ended ??= (async () => {
      await this.#turn;
      await this.#session.end();
      this.#unlock();
    })();
    return this.#ended;
  }

  /** Whoever waits behind a store that does not open is told at once, not one after the other. */
  async #reopen(): Promise<void> {
    if (this.#directory === MEMORY || this.#ended !== undefined || Date.now() < this.#notBefore)
      throw new Error("the embedded store has stopped");
    await this.#session.abandon();
    try {
      const session = await EmbeddedSession.open(this.#directory, REOPENING_MS);
      if (this.sessionStart !== null) await session.run(this.sessionStart, []);
      this.#session = session;
    } catch (error) {
      this.#notBefore = Date.now() + REOPEN_EVERY_MS;
      throw error;
    }
  }
}

class EmbeddedConnection implements PostgresPoolClient {
  readonly #session: EmbeddedSession;
  readonly #release: () => void;

  constructor(session: EmbeddedSession, release: () => void) {
    this.#session = session;
    this.#release = release;
  }

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    sql: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof sql !== "string") throw new Error("the embedded store streams no rows");
    return this.#session.run(sql, parameters);
  }

  release(): void {
    this.#release();
  }
}

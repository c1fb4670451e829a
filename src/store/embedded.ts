import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import type { WorkerRequest, WorkerResponse } from "./embedded-worker.ts";
import { queryResult } from "./query-result.ts";
import type { PoolState } from "./store.ts";

/** The data folder is held by another process: the embedded store belongs to one (facts: it has no lock of its own). */
export class StoreLockedError extends Error {
  override readonly name = "StoreLockedError";
  constructor(directory: string) {
    super(`${directory} is in use by another process; the embedded store belongs to one process at a time`);
  }
}

class StoreQueryError extends Error {
  override readonly name = "StoreQueryError";
  constructor(message: string, fields: Record<string, string>) {
    super(message);
    Object.assign(this, fields);
  }
}

interface Waiting {
  resolve(result: PostgresQueryResult<never>): void;
  reject(error: Error): void;
}

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
 * connection lent out to one user at a time, in the order asked for.
 */
export class EmbeddedPool implements PostgresPool {
  readonly options = {};
  readonly #worker: Worker;
  readonly #unlock: () => void;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  /** Users that have the connection or wait for it. */
  #users = 0;
  #turn: Promise<void> = Promise.resolve();
  #ended: Promise<void> | undefined;
  #failure: Error | undefined;

  private constructor(worker: Worker, unlock: () => void) {
    this.#worker = worker;
    this.#unlock = unlock;
    worker.on("message", (message: WorkerResponse | "ready" | "closed") => {
      if (typeof message !== "string") this.#settle(message);
    });
    worker.on("error", (error) => this.#fail(error instanceof Error ? error : new Error(String(error))));
    worker.on("exit", () => this.#fail(new Error("the embedded store has stopped")));
  }

  /** Opens the store below `dataDirectory` (made 0700 where missing), or one in memory when it is null. */
  static async open(dataDirectory: string | null): Promise<EmbeddedPool> {
    let directory = "memory://";
    let unlock = (): void => undefined;
    if (dataDirectory !== null) {
      mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
      chmodSync(dataDirectory, 0o700);
      unlock = lockDirectory(dataDirectory);
      directory = join(dataDirectory, "store");
      mkdirSync(directory, { recursive: true, mode: 0o700 });
    }
    const worker = new Worker(new URL("./embedded-worker.ts", import.meta.url), { workerData: { directory } });
    try {
      await new Promise<void>((resolve, reject) => {
        worker.once("message", () => resolve());
        worker.once("error", reject);
      });
    } catch (error) {
      unlock();
      throw error;
    }
    return new EmbeddedPool(worker, unlock);
  }

  async connect(): Promise<PostgresPoolClient> {
    const { promise: done, resolve: release } = Promise.withResolvers<void>();
    const before = this.#turn;
    this.#turn = before.then(() => done);
    this.#users += 1;
    await before;
    return new EmbeddedConnection(this, () => {
      this.#users -= 1;
      release();
    });
  }

  state(): PoolState {
    const used = Math.min(1, this.#users);
    return { pool: "embedded", used, idle: 1 - used, waiting: this.#users - used };
  }

  /** Runs one statement; without parameters also several, separated by semicolons, which answer no rows. */
  run(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<never>> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const request: WorkerRequest = { id: this.#nextId++, sql, parameters };
    const { promise, resolve, reject } = Promise.withResolvers<PostgresQueryResult<never>>();
    this.#waiting.set(request.id, { resolve, reject });
    this.#worker.postMessage(request);
    return promise;
  }

  end(): Promise<void> {
    this.#ended ??= (async () => {
      await this.#turn;
      const exited = new Promise<void>((resolve) => this.#worker.once("exit", () => resolve()));
      if (this.#failure === undefined) {
        this.#worker.postMessage("close");
        await exited;
      }
      this.#unlock();
    })();
    return this.#ended;
  }

  #settle(response: WorkerResponse): void {
    const waiting = this.#waiting.get(response.id);
    this.#waiting.delete(response.id);
    if (waiting === undefined) return;
    if ("error" in response) waiting.reject(new StoreQueryError(response.error.message, response.error.fields));
    else waiting.resolve(queryResult(response));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#failure);
    this.#waiting.clear();
  }
}

class EmbeddedConnection implements PostgresPoolClient {
  readonly #pool: EmbeddedPool;
  readonly #release: () => void;

  constructor(pool: EmbeddedPool, release: () => void) {
    this.#pool = pool;
    this.#release = release;
  }

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    sql: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof sql !== "string") throw new Error("the embedded store streams no rows");
    return this.#pool.run(sql, parameters);
  }

  release(): void {
    this.#release();
  }
}

import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import type pg from "pg";
import { isEndOfConnection, POOL_IN_USE, StoreUnavailable, unavailableFrom } from "../unavailable.ts";
import { isAhead, isUrgent, type Naming } from "./statements.ts";

/** What the pool says where none of its connections became free in time. */
const ALL_LENT = "timeout exceeded when trying to connect";

/** How long a statement whose answer is not awaited is held back, to be sent with the next one; milliseconds. */
const LINGER_MS = 10;

interface PoolOptions {
  readonly pool: pg.Pool;
  readonly naming: Naming;
  /** After which a connection without an answer is given up, in milliseconds; 0 for never. */
  readonly answerMs: number;
  /** How long a free connection is waited for at least; else `freeMs` says how long at most, or the pool's own limit. */
  readonly patienceMs?: number;
  readonly freeMs?: number;
  /** For statements that are each a transaction of their own: all who ask in one turn of the event loop get one connection. */
  readonly isShared?: true;
  /** Throws where nobody is to wait for the store. */
  readonly assertAnswering?: () => void;
  /** Whether a connection can be used again. */
  readonly isUsable?: (client: pg.PoolClient) => boolean;
}

/** The connections of a pool as the query builder wants them. Several ways may lead to one pool: none of them ends it. */
export function poolDialect(options: PoolOptions): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PoolDriver(options),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/** Streams whose bytes wait for more, for handing bytes over is most of what a short statement costs. */
const held = new WeakMap<Writable, NodeJS.Timeout>();

function holdBack(stream: Writable) {
  if (held.has(stream)) return;
  stream.cork();
  held.set(stream, setTimeout(letGo, LINGER_MS, stream).unref());
}

function letGo(stream: Writable) {
  if (!held.has(stream)) return;
  clearTimeout(held.get(stream));
  held.delete(stream);
  stream.uncork();
}

/** A connection and how many have it. */
interface Turn {
  users: number;
  connection: Promise<PoolConnection> | null;
}

class PoolDriver implements Driver {
  readonly #options: PoolOptions;
  /** Shared by the statements of this turn of the event loop. */
  #turn: Turn | null = null;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  async init(): Promise<void> {}

  async destroy(): Promise<void> {}

  async acquireConnection(): Promise<PoolConnection> {
    const turn = this.#turn ?? { users: 0, connection: null };
    turn.users += 1;
    turn.connection ??= this.#lend().then((client) => new PoolConnection(client, this.#options, turn));
    if (this.#options.isShared && this.#turn === null) {
      this.#turn = turn;
      setImmediate(() => {
        this.#turn = null;
      });
    }
    return turn.connection;
  }

  async releaseConnection(connection: PoolConnection) {
    const { turn } = connection;
    turn.users -= 1;
    if (turn.users > 0) return;
    if (this.#turn === turn) this.#turn = null;
    connection.release();
  }

  /** Transactions are the store's own (src/store/store.ts). */
  async beginTransaction() {
    throw new Error("a transaction is begun by a statement");
  }

  readonly commitTransaction = this.beginTransaction;
  readonly rollbackTransaction = this.beginTransaction;

  async #lend(): Promise<pg.PoolClient> {
    const { patienceMs = 0, assertAnswering } = this.#options;
    const latest = performance.now() + patienceMs;
    for (;;) {
      try {
        assertAnswering?.();
        return await this.#connect();
      } catch (error) {
        // All are lent out: for work that nobody waits for that is no reason to fail.
        const isBusy = error instanceof Error && error.message === ALL_LENT;
        if (!isBusy || performance.now() >= latest) throw unavailableFrom(error);
      }
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    const { pool, freeMs } = this.#options;
    const isFull = pool.idleCount === 0 && pool.totalCount >= pool.options.max;
    const lent = pool.connect();
    if (freeMs === undefined || !isFull) return lent;
    const client = await Promise.race([lent, sleep(freeMs, null, { ref: false })]);
    if (client !== null) return client;
    lent.then((late) => late.release()).catch(() => undefined);
    throw new StoreUnavailable(POOL_IN_USE);
  }
}

class PoolConnection implements DatabaseConnection {
  readonly turn: Turn;
  readonly #client: pg.PoolClient;
  readonly #options: PoolOptions;
  /** Answers that nobody waits for until the next statement. */
  #ahead: Promise<unknown> = Promise.resolve();
  #isSpent = false;

  constructor(client: pg.PoolClient, options: PoolOptions, turn: Turn) {
    this.turn = turn;
    this.#client = client;
    this.#options = options;
  }

  async executeQuery<R>(statement: CompiledQuery): Promise<QueryResult<R>> {
    if (isAhead(statement)) {
      if (!isUrgent(statement)) holdBack(this.#client.connection.stream);
      this.#ahead = Promise.all([this.#ahead, this.#send(statement)]);
      this.#ahead.catch(() => undefined);
      return { rows: [] };
    }
    const { stream } = this.#client.connection;
    if (this.#options.isShared) holdBack(stream);
    const both = Promise.all([this.#ahead, this.#send(statement)]);
    if (this.#options.isShared) setImmediate(letGo, stream);
    else letGo(stream);
    this.#ahead = Promise.resolve();
    const [, { command, rowCount, rows }] = await both;
    // PostgreSQL rolls back what it is told to commit after a statement failed, and calls that no error.
    if (command === "ROLLBACK" && statement.sql === "commit")
      throw new Error("a transaction with a failed statement is not committed");
    return WRITING.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
  }

  // biome-ignore lint/correctness/useYield: the query builder asks for it, and nobody streams.
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error("no rows are streamed");
  }

  release() {
    const { isUsable } = this.#options;
    this.#client.release(this.#isSpent || isUsable?.(this.#client) === false);
  }

  async #send(statement: CompiledQuery): Promise<pg.QueryResult> {
    const { naming, answerMs } = this.#options;
    const { sql: text, parameters } = statement;
    const query = { text, values: [...parameters], name: naming(statement), query_timeout: answerMs };
    try {
      const answers: pg.QueryResult | pg.QueryResult[] = await this.#client.query(query);
      // Of several statements in one text, the last one's.
      const last = [answers].flat().at(-1);
      if (last === undefined) throw new Error("a statement has an answer");
      return last;
    } catch (error) {
      const told = unavailableFrom(error);
      if (isEndOfConnection(told)) this.#isSpent = true;
      throw told;
    }
  }
}

/** Commands that tell how many rows they touched. */
const WRITING = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);

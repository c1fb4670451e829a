import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import type pg from "pg";
import { PoolClient, queryResult } from "./pool-client.ts";
import { nameOf } from "./prepared.ts";
import { ask } from "./row-client.ts";
import type { PoolState } from "./store.ts";
import { isReadOnlyServer, unavailableFrom } from "./unavailable.ts";

interface StatementPoolOptions {
  /** After which an idle connection is given back, in milliseconds. */
  readonly idleMs: number;
  /** Throws where nobody is to wait for the store. */
  readonly assertAnswering: () => void;
}

/**
 * Connections for statements that are each a transaction of their own, looked up by key: a connection is lent to everybody
 * at once, and takes what is asked in one turn of the event loop in one piece. Each of them is remembered by its text, for a
 * plan that is soon the same for all values is right for such statements.
 */
export class StatementPool implements PostgresPool {
  readonly options = {};
  readonly #pool: pg.Pool;
  readonly #connections = new Set<SharedConnection>();
  readonly #assertAnswering: () => void;
  readonly #sweep: NodeJS.Timeout;
  #ofTurn: SharedConnection | null = null;

  constructor(pool: pg.Pool, { idleMs, assertAnswering }: StatementPoolOptions) {
    this.#pool = pool;
    this.#assertAnswering = assertAnswering;
    this.#sweep = setInterval(() => this.#giveBack(), idleMs).unref();
  }

  /** The same for all who ask in one turn. */
  async connect(): Promise<PostgresPoolClient> {
    this.#assertAnswering();
    if (this.#ofTurn === null) {
      this.#ofTurn = this.#leastBusy();
      setImmediate(() => {
        this.#ofTurn = null;
      });
    }
    return this.#ofTurn.lend();
  }

  async end(): Promise<void> {
    clearInterval(this.#sweep);
    for (const connection of this.#connections) connection.end();
    await this.#pool.end();
  }

  /** How many connections have something to do, and how many statements wait for another on theirs. */
  state(pool: string): PoolState {
    const used = [...this.#connections].filter(({ lent }) => lent > 0);
    const waiting = used.reduce((count, { lent }) => count + lent - 1, 0);
    return { pool, used: used.length, idle: this.#connections.size - used.length, waiting };
  }

  /** Ends those nobody has used since the last time. */
  #giveBack(): void {
    for (const connection of this.#connections) if (!connection.wasUsed()) connection.end();
  }

  #leastBusy(): SharedConnection {
    const [least] = [...this.#connections].sort((a, b) => a.lent - b.lent);
    if (least !== undefined && (least.lent === 0 || this.#connections.size >= this.#pool.options.max)) return least;
    const opened = new SharedConnection(this.#pool.connect(), () => this.#connections.delete(opened));
    this.#connections.add(opened);
    return opened;
  }
}

class SharedConnection extends PoolClient {
  /** To so many at once, those who wait until it is open among them. */
  lent = 0;
  readonly #client: Promise<pg.PoolClient>;
  readonly #forget: () => void;
  #hasEnded = false;
  #isUsed = true;

  constructor(client: Promise<pg.PoolClient>, forget: () => void) {
    super();
    this.#client = client;
    this.#forget = forget;
    client.then(
      (opened) => {
        opened.once("error", () => this.end());
        opened.once("end", () => this.end());
      },
      () => forget(),
    );
  }

  async lend(): Promise<this> {
    this.lent += 1;
    this.#isUsed = true;
    await this.#client.catch((error: unknown) => {
      throw unavailableFrom(error);
    });
    return this;
  }

  /** Whether anybody has it, or had it since this was asked last. */
  wasUsed(): boolean {
    const wasUsed = this.#isUsed || this.lent > 0;
    this.#isUsed = false;
    return wasUsed;
  }

  release(): void {
    this.lent -= 1;
  }

  /** Lets nobody use it any more. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#forget();
    this.#client.then(
      (opened) => opened.release(true),
      () => undefined,
    );
  }

  protected async answer<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    try {
      return queryResult(await ask<R>(await this.#client, { text, name: nameOf(text) }, parameters));
    } catch (error) {
      if (isReadOnlyServer(error)) this.end();
      throw error;
    }
  }
}

import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import type pg from "pg";
import { LONG_CONNECT_MS } from "./limits.ts";
import { PoolClient, queryResult } from "./pool-client.ts";
import type { Naming } from "./prepared.ts";
import { ask } from "./row-client.ts";
import { ServerClient } from "./server-client.ts";
import { isReadOnlyServer, unavailableFrom } from "./unavailable.ts";

/** What a statement answers that is not sent yet. */
const NOTHING: Promise<PostgresQueryResult<never>> = Promise.resolve({ command: "SELECT", rowCount: 0, rows: [] });

/** So long the end of a transaction that only read may wait for company. */
const LINGER_MS = 10;

/** What the pool says where none of its connections became free in time. */
const ALL_LENT = "timeout exceeded when trying to connect";

/** Who asks for a connection: how long they wait for one, and what is set in each of their transactions as it begins. */
export interface Door {
  /** Statements, such as `set local lock_timeout = 0`; empty for none. */
  readonly settings: string;
  /** Whether the wait for a connection, and for answers, is as long as it takes the server. */
  readonly isPatient: boolean;
}

interface TransactionPoolOptions {
  readonly naming: Naming;
  /** Throws where nobody is to wait for the store. */
  readonly assertAnswering?: () => void;
}

/**
 * Connections on which a transaction costs no round trip of its own where it can be had: its beginning goes out with its
 * first statement, and the end of one that only read with the beginning of the next, or after ten milliseconds.
 */
export class TransactionPool {
  readonly #pool: pg.Pool;
  readonly #nameOf: Naming;
  readonly #assertAnswering: () => void;
  readonly #connections = new WeakMap<pg.PoolClient, TransactionConnection>();
  /** Released with a transaction that has still to end. */
  readonly #lingering = new Set<TransactionConnection>();
  #timer: NodeJS.Timeout | undefined;
  #ended: Promise<void> | undefined;

  constructor(pool: pg.Pool, { naming, assertAnswering = () => undefined }: TransactionPoolOptions) {
    this.#pool = pool;
    this.#nameOf = naming;
    this.#assertAnswering = assertAnswering;
  }

  /** The same connections, as the query builder wants them, for those who come by a door. */
  through(door: Door): PostgresPool {
    return { options: {}, connect: () => this.#connect(door), end: async () => undefined };
  }

  async #connect(door: Door): Promise<PostgresPoolClient> {
    const client = await this.#lend(door);
    let connection = this.#connections.get(client);
    if (connection === undefined) {
      connection = new TransactionConnection(client, this.#nameOf, (one) => this.#linger(one));
      this.#connections.set(client, connection);
    }
    connection.enter(door);
    return connection;
  }

  async #lend({ isPatient }: Door): Promise<pg.PoolClient> {
    const latest = performance.now() + LONG_CONNECT_MS;
    for (;;) {
      this.#assertAnswering();
      try {
        return await this.#pool.connect();
      } catch (error) {
        // All are lent out: for work that nobody waits for that is no reason to fail.
        const isBusy = error instanceof Error && error.message === ALL_LENT;
        if (!isPatient || !isBusy || performance.now() > latest) throw unavailableFrom(error);
      }
    }
  }

  end(): Promise<void> {
    clearTimeout(this.#timer);
    this.#ended ??= this.#pool.end();
    return this.#ended;
  }

  #linger(connection: TransactionConnection): void {
    this.#lingering.add(connection);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      for (const one of this.#lingering) one.finish();
      this.#lingering.clear();
    }, LINGER_MS).unref();
  }
}

class TransactionConnection extends PoolClient {
  readonly #client: pg.PoolClient;
  readonly #nameOf: Naming;
  readonly #linger: (connection: TransactionConnection) => void;
  /** What has still to be sent of a transaction that has begun; null when it was. */
  #beginning: string | null = null;
  #isReadOnly = false;
  /** A transaction that only read is still open. */
  #isEnding = false;
  #isBroken = false;
  #settings = "";

  constructor(client: pg.PoolClient, naming: Naming, linger: (connection: TransactionConnection) => void) {
    super();
    this.#client = client;
    this.#nameOf = naming;
    this.#linger = linger;
  }

  /** Lent to somebody who came by that door. */
  enter({ settings, isPatient }: Door): void {
    this.#settings = settings;
    if (this.#client instanceof ServerClient) this.#client.isPatient = isPatient;
  }

  protected answer<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    if (text.startsWith("begin")) {
      // Ahead of what the transaction sets for itself.
      this.#beginning = this.#settings === "" ? text : text.replace(/;|$/, `; ${this.#settings};`);
      this.#isReadOnly = text.includes("read only");
      return NOTHING;
    }
    if (text === "commit" || text === "rollback") return this.#end(text);
    return this.#send(text, parameters);
  }

  release(destroy?: boolean): void {
    if (this.#isEnding) this.#linger(this);
    const isReadOnly = this.#client instanceof ServerClient && this.#client.isReadOnly;
    this.#client.release(destroy || this.#isBroken || isReadOnly);
  }

  /** Ends what is still open. */
  finish(): void {
    if (!this.#isEnding) return;
    this.#isEnding = false;
    // Nothing hangs on it: a connection that cannot end a transaction is gone, and the transaction with it.
    this.#client.query("commit").catch(() => undefined);
  }

  #end(text: "commit" | "rollback"): Promise<PostgresQueryResult<never>> {
    if (this.#beginning !== null) {
      this.#beginning = null;
      return NOTHING;
    }
    if (this.#isReadOnly && text === "commit") {
      this.#isEnding = true;
      return NOTHING;
    }
    return this.#say(text).then((answer) => {
      // PostgreSQL rolls back what it is told to commit after a statement failed, and calls that no error.
      if (answer.command !== text.toUpperCase())
        throw new Error("a transaction with a failed statement is not committed");
      return queryResult(answer);
    });
  }

  async #send<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    const ahead = this.#sendAhead();
    const answer = ask<R>(this.#client, { text, name: this.#nameOf(text) }, parameters);
    try {
      if (ahead === null) return queryResult(await answer);
      const [answered] = await Promise.all([answer, ahead]);
      return queryResult(answered);
    } catch (error) {
      if (!this.#isReadOnly && isReadOnlyServer(error)) this.#isBroken = true;
      throw error;
    }
  }

  /** Sends what has to be ahead of a statement: the end of an earlier transaction, and the beginning of its own. */
  #sendAhead(): Promise<unknown> | null {
    const ahead = [...(this.#isEnding ? ["commit"] : []), ...(this.#beginning === null ? [] : [this.#beginning])];
    if (ahead.length === 0) return null;
    this.#isEnding = false;
    this.#beginning = null;
    return this.#say(ahead.join("; ")).catch((error: unknown) => {
      this.#isBroken = true;
      throw error;
    });
  }

  #say(text: string): Promise<pg.QueryResult<never>> {
    return this.#client.query<never>(text).catch((error: unknown) => {
      throw unavailableFrom(error);
    });
  }
}

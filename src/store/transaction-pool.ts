import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import type pg from "pg";
import { PoolClient, queryResult } from "./pool-client.ts";
import type { Naming } from "./prepared.ts";
import { ask } from "./row-client.ts";

/** What a statement answers that is not sent yet. */
const NOTHING: Promise<PostgresQueryResult<never>> = Promise.resolve({ command: "SELECT", rowCount: 0, rows: [] });

/** So long the end of a transaction that only read may wait for company. */
const LINGER_MS = 10;

/**
 * Connections on which a transaction costs no round trip of its own where it can be had: its beginning goes out with its
 * first statement, and the end of one that only read with the beginning of the next, or after ten milliseconds.
 */
export class TransactionPool implements PostgresPool {
  readonly options = {};
  readonly #pool: pg.Pool;
  readonly #nameOf: Naming;
  readonly #connections = new WeakMap<pg.PoolClient, TransactionConnection>();
  /** Released with a transaction that has still to end. */
  readonly #lingering = new Set<TransactionConnection>();
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: pg.Pool, naming: Naming) {
    this.#pool = pool;
    this.#nameOf = naming;
  }

  async connect(): Promise<PostgresPoolClient> {
    const client = await this.#pool.connect();
    const known = this.#connections.get(client);
    if (known !== undefined) return known;
    const connection = new TransactionConnection(client, this.#nameOf, (one) => this.#linger(one));
    this.#connections.set(client, connection);
    return connection;
  }

  end(): Promise<void> {
    clearTimeout(this.#timer);
    return this.#pool.end();
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

  constructor(client: pg.PoolClient, naming: Naming, linger: (connection: TransactionConnection) => void) {
    super();
    this.#client = client;
    this.#nameOf = naming;
    this.#linger = linger;
  }

  protected answer<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    if (text.startsWith("begin")) {
      this.#beginning = text;
      this.#isReadOnly = text.includes("read only");
      return NOTHING;
    }
    if (text === "commit" || text === "rollback") return this.#end(text);
    return this.#send(text, parameters);
  }

  release(destroy?: boolean): void {
    if (this.#isEnding) this.#linger(this);
    this.#client.release(destroy || this.#isBroken);
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
    return this.#client.query<never>(text).then((answer) => {
      // PostgreSQL rolls back what it is told to commit after a statement failed, and calls that no error.
      if (answer.command !== text.toUpperCase())
        throw new Error("a transaction with a failed statement is not committed");
      return queryResult(answer);
    });
  }

  async #send<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    const ahead = this.#sendAhead();
    const answer = ask<R>(this.#client, { text, name: this.#nameOf(text) }, parameters);
    if (ahead === null) return queryResult(await answer);
    const [answered] = await Promise.all([answer, ahead]);
    return queryResult(answered);
  }

  /** Sends what has to be ahead of a statement: the end of an earlier transaction, and the beginning of its own. */
  #sendAhead(): Promise<unknown> | null {
    const ahead = [...(this.#isEnding ? ["commit"] : []), ...(this.#beginning === null ? [] : [this.#beginning])];
    if (ahead.length === 0) return null;
    this.#isEnding = false;
    this.#beginning = null;
    return this.#client.query(ahead.join("; ")).catch((error: unknown) => {
      this.#isBroken = true;
      throw error;
    });
  }
}

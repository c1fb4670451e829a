import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import type pg from "pg";
import { nameOf } from "./prepared.ts";
import { queryResult } from "./query-result.ts";

/**
 * Connections that prepare each statement at its first use and only name it afterwards, which spares a server most of
 * the work of a lookup by key. The plan is soon the same for all values, so it is for such lookups and nothing else.
 */
export class PreparedPool implements PostgresPool {
  readonly options = {};
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async connect(): Promise<PostgresPoolClient> {
    return new PreparedConnection(await this.#pool.connect());
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}

class PreparedConnection implements PostgresPoolClient {
  readonly #client: pg.PoolClient;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    text: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof text !== "string") throw new Error("a lookup streams no rows");
    return this.#client.query<never>({ name: nameOf(text), text, values: [...parameters] }).then(queryResult);
  }

  release(destroy?: boolean): void {
    this.#client.release(destroy);
  }
}

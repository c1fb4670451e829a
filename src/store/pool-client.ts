import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from "kysely";
import type { Answer } from "./row-client.ts";

/** A connection as the query builder wants it. It answers statements, and streams no rows. */
export abstract class PoolClient implements PostgresPoolClient {
  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    text: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof text !== "string") throw new Error("no rows are streamed");
    return this.answer(text, parameters);
  }

  abstract release(destroy?: boolean): void;

  protected abstract answer<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
}

/** What a driver answers, as the query builder wants it: a statement that writes tells how many rows it touched. */
export function queryResult<R>(answer: Answer<R>): PostgresQueryResult<R> {
  switch (answer.command) {
    case "INSERT":
    case "UPDATE":
    case "DELETE":
    case "MERGE":
      return { command: answer.command, rowCount: answer.rowCount ?? 0, rows: answer.rows };
    default:
      return { command: "SELECT", rowCount: answer.rows.length, rows: answer.rows };
  }
}

import type { PostgresQueryResult } from "kysely";
import type { Answer } from "./row-client.ts";

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

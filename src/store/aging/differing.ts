import { sql } from "kysely";
import { columns, type SqlPart } from "./rollup-parts.ts";

/** The rows that one of two tables of a statement has and the other has not, by the columns named. */
export function differing(one: string, other: string, names: readonly string[]): SqlPart {
  const from = (table: string): SqlPart => sql`select ${columns(names)} from ${sql.table(table)}`;
  return sql`(${from(one)} except all ${from(other)}) union all (${from(other)} except all ${from(one)})`;
}

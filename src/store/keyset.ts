import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Transaction } from "./store.ts";

/** A place in a list: the creation time and id of its last row. */
export interface Position {
  createdAt: string;
  id: string;
}

/** The columns a list is ordered by: immutable creation time, then id. */
export interface KeysetColumns {
  createdAt: string;
  id: string;
}

interface Page<Query> {
  position: Position | null;
  order: "asc" | "desc";
  limit: number;
  /** Given where rows are few: the query without its filters, whose rows are fetched once all keys are sorted. */
  fetch?: Query | undefined;
}

/** Up to `limit` rows after a place, compared as row values: an index that ends in the two columns answers that. */
export function rowsAfter<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { createdAt, id }: KeysetColumns,
  { position, order, limit, fetch }: Page<SelectQueryBuilder<DB, TB, Row>>,
): SelectQueryBuilder<DB, TB, Row> {
  const [time, key] = [sql.ref(createdAt), sql.ref(id)];
  const operator = sql.raw(order === "asc" ? ">" : "<");
  const rest =
    position === null
      ? query
      : query.where(sql<SqlBool>`(${time}, ${key}) ${operator}
          (${position.createdAt}::timestamptz, ${position.id}::uuid)`);
  if (fetch === undefined) return rest.orderBy(time, order).orderBy(key, order).limit(limit);
  // An expression, so that the planner does not scan the index of creation times; only keys, which the filters' index holds.
  const sorted = rest.clearSelect().select(key.as("key")).orderBy(sql`(${time} + interval '0')`, order);
  const keys = sorted.orderBy(key, order).limit(limit);
  return fetch.where(sql<SqlBool>`${key} in ${keys}`).orderBy(time, order).orderBy(key, order);
}

/** How many rows a query has. */
export async function countRows(tx: Transaction, query: Expression<unknown>): Promise<number> {
  const { rows } = await sql<{ total: string }>`select count(*) as total from ${query} as matching`.execute(tx);
  return Number(rows[0]?.total ?? 0);
}

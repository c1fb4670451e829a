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
  /** The rows are few: they are all sorted, rather than looked for along the index of creation times. */
  few?: boolean;
}

/**
 * Up to `limit` rows of a query after a place. The comparison is one of row values, which an index ending in the two
 * columns answers directly.
 */
export function rowsAfter<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { createdAt, id, few = false }: KeysetColumns,
  { position, order, limit }: { position: Position | null; order: "asc" | "desc"; limit: number },
): Promise<Row[]> {
  const operator = sql.raw(order === "asc" ? ">" : "<");
  const page =
    position === null
      ? query
      : query.where(sql<SqlBool>`(${sql.ref(createdAt)}, ${sql.ref(id)}) ${operator}
          (${position.createdAt}::timestamptz, ${position.id}::uuid)`);
  // As an expression it is no column of an index.
  const time = few ? sql`(${sql.ref(createdAt)} + interval '0')` : sql.ref(createdAt);
  return page.orderBy(time, order).orderBy(sql.ref(id), order).limit(limit).execute();
}

/** How many rows a query has. */
export async function countRows(tx: Transaction, query: Expression<unknown>): Promise<number> {
  const { rows } = await sql<{ total: string }>`select count(*) as total from ${query} as matching`.execute(tx);
  return Number(rows[0]?.total ?? 0);
}

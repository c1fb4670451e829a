import { type RawBuilder, type SqlBool, sql } from "kysely";

/** A place in a list: the creation time and id of its last row. */
export interface Position {
  createdAt: string;
  id: string;
}

/**
 * "After this place" as a comparison of row values, which an index ending in the two columns answers directly.
 * `createdAt` and `id` name the columns.
 */
export function after(
  columns: { createdAt: string; id: string },
  position: Position,
  order: "asc" | "desc",
): RawBuilder<SqlBool> {
  const operator = sql.raw(order === "asc" ? ">" : "<");
  return sql<SqlBool>`(${sql.ref(columns.createdAt)}, ${sql.ref(columns.id)}) ${operator} (${position.createdAt}::timestamptz, ${position.id}::uuid)`;
}

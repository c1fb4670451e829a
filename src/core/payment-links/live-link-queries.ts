import { type RawBuilder, sql } from "kysely";

/** Whether a payment link, by its table's name in the query, takes of what is available: made or being made, and not paid. */
export function isLiveLink(table: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<boolean>`${column("state")} in ('reserved', 'active') and ${column("paid_at")} is null`;
}

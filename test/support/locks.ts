import { sql } from "kysely";
import type { Store } from "../../src/store/store.ts";
import { everyRow } from "./every-row.ts";

/** Transactions of a store's database that wait for another's lock. */
export async function waiting(store: Store): Promise<number> {
  const { rows } = await everyRow(store, (tx) =>
    sql<{ count: number }>`select count(distinct lock.pid)::int as count from pg_locks as lock
      join pg_stat_activity as activity on activity.pid = lock.pid and activity.datname = current_database()
      where not lock.granted`.execute(tx),
  );
  return rows[0]?.count ?? 0;
}

import { sql } from "kysely";
import type { Store } from "../../src/store/store.ts";
import { everyRow } from "./every-row.ts";

const ON_SERVER = `select count(distinct lock.pid)::int as count from pg_locks as lock
  join pg_stat_activity as activity on activity.pid = lock.pid and activity.datname = current_database()
  where not lock.granted`;
/** They wait on the workers. */
const ON_WORKERS = "select count(distinct waiting_gpid)::int as count from citus_lock_waits";

/** Transactions of a store's database that wait for another's lock. */
export async function waiting(store: Store): Promise<number> {
  const { rows } = await everyRow(store, async (tx) => {
    await sql`set local role none`.execute(tx);
    return sql.raw<{ count: number }>(store.isDistributed ? ON_WORKERS : ON_SERVER).execute(tx);
  });
  return rows[0]?.count ?? 0;
}

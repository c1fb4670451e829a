import { type Kysely, sql } from "kysely";
import type { Tables, Transaction } from "../tables/index.ts";
import { DATABASE_ROLES } from "../tenancy/roles.ts";

/**
 * Does what a server does by itself: vacuums and analyzes the tables of which much has changed since the last time, by autovacuum's
 * thresholds, and checkpoints. It analyzes after 200 changes already, which may be all of a new tenant. One table after the other, so
 * that others have the only connection in between.
 */
export async function maintainEmbedded(database: Kysely<Tables>): Promise<void> {
  const asOwner = <T>(work: (connection: Transaction) => Promise<T>): Promise<T> =>
    database.connection().execute(async (connection) => {
      await sql.raw("reset role").execute(connection);
      try {
        return await work(connection);
      } finally {
        await sql.raw(`set role ${DATABASE_ROLES.tenant}`).execute(connection);
      }
    });
  for (const { name, hasDead } of await asOwner(changedTables))
    await asOwner((connection) => sql.raw(`${hasDead ? "vacuum analyze" : "analyze"} ${name}`).execute(connection));
  await asOwner((connection) => sql.raw("checkpoint").execute(connection));
}

async function changedTables(connection: Transaction) {
  // Counts are a second old without this. They are lost when the store is closed: of a table that was not vacuumed since it was opened
  // any change is enough.
  await sql`select pg_stat_force_next_flush()`.execute(connection);
  const { rows } = await sql<{ name: string; hasDead: boolean }>`
    select * from (
      select relid::regclass::text as name,
        greatest(n_dead_tup, n_ins_since_vacuum)
          > case when last_vacuum is null then 0 else 50 + 0.2 * greatest(reltuples, 0) end as "hasDead",
        n_mod_since_analyze > least(200, 50 + 0.1 * greatest(reltuples, 0)) as "hasMoved"
      from pg_stat_all_tables join pg_class on pg_class.oid = relid
      where schemaname <> 'pg_toast'
    ) as counted
    where "hasDead" or "hasMoved"`.execute(connection);
  return rows;
}

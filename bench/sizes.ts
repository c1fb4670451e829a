import { sql } from "kysely";
import { ROLLUP_TABLES } from "../src/store/aging/rollup.ts";
import type { Store } from "../src/store/store.ts";
import { everyRow } from "../test/support/every-row.ts";

/** Gigabytes on disk, with indexes. */
export interface Sizes {
  database: number;
  /** The roll-ups of all workspaces. */
  rollup: number;
}

/** How large a database is on PostgreSQL, and what of it is kept for reports. */
export async function sizesOf(store: Store): Promise<Sizes> {
  const { rows } = await everyRow(store, (tx) =>
    sql<Sizes>`select pg_database_size(current_database())::float8 / 1e9 as database,
      (select sum(pg_total_relation_size(name::regclass)) from unnest(${[...ROLLUP_TABLES]}::text[]) as name)::float8 / 1e9
        as rollup`.execute(tx),
  );
  const [sizes] = rows;
  if (sizes === undefined) throw new Error("a database has a size");
  return sizes;
}

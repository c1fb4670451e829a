import { sql } from "kysely";
import { ahead } from "./driver/statements.ts";
import type { Tables, Transaction } from "./tables/index.ts";

/** Of a table that is this many times larger than what was written into it, the statistics still hold. */
const MUCH_LARGER = 20;

/** Store.takeStatistics, over a connection that nobody else uses, on which `begin` begins a transaction. */
export async function takeStatistics(
  connection: Transaction,
  begin: string,
  tables: readonly (keyof Tables)[],
  written: number,
): Promise<void> {
  // As the user that owns the tables; another's analysis, or a vacuum, is not waited for.
  await connection.executeQuery(ahead(`${begin}; set local role none; set local lock_timeout = '2s'`));
  try {
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class
      where oid = any(${`{${tables.join(",")}}`}::regclass[]) and reltuples < ${written * MUCH_LARGER}::float8
      order by relname`.execute(connection);
    if (rows.length > 0) await sql`analyze ${sql.join(rows.map(({ name }) => sql.table(name)))}`.execute(connection);
    await sql.raw("commit").execute(connection);
  } catch (error) {
    await sql
      .raw("rollback")
      .execute(connection)
      .catch(() => undefined);
    throw error;
  }
}

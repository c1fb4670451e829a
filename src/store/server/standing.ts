import { sql } from "kysely";
import type { Transaction } from "../tables/index.ts";
import { StoreUnavailable } from "../unavailable.ts";

/** Throws StoreUnavailable unless a transaction acts in that role and can write. */
export async function assertTakesWrites(tx: Transaction, role: string): Promise<void> {
  const { rows } = await sql<{ role: string; readOnly: string }>`
    select current_user as role, current_setting('transaction_read_only') as "readOnly"`.execute(tx);
  const [found] = rows;
  if (found?.role !== role) throw new StoreUnavailable(`the role is ${found?.role} and not ${role}`);
  if (found.readOnly !== "off") throw new StoreUnavailable("the server takes no writes");
}

/**
 * Writes what leaves nothing behind: a record of the log, which the commit waits for, and a temporary file of a quarter of a megabyte,
 * for a full disk still takes a row into a page that has room.
 */
export async function tryWriting(tx: Transaction): Promise<void> {
  await sql`set local work_mem = '64kB'`.execute(tx);
  await sql`select pg_logical_emit_message(true, 'receivables', ''), count(*) from generate_series(1, 8192)`.execute(
    tx,
  );
}

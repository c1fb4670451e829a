import { type RawBuilder, sql } from "kysely";
import type { Transaction } from "./tables/index.ts";

/**
 * The number of a lock that has a name, until a transaction ends. Callers have a part in names, such as an `Idempotency-Key`:
 * by a hash that can be turned round they would find one that has another workspace's number.
 */
export const lockNumber = (name: RawBuilder<string> | string) =>
  sql`('x' || left(encode(sha256(convert_to(${name}, 'UTF8')), 'hex'), 16))::bit(64)::bigint`;

/** Holds a name until the transaction ends. */
export async function holdName(tx: Transaction, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockNumber(name)})`.execute(tx);
}

/** The same without waiting: false while another transaction holds it; `shared` ones keep out only who holds it by itself. */
export async function tryName(
  tx: Transaction,
  name: string,
  how: "by itself" | "shared" = "by itself",
): Promise<boolean> {
  const take = sql.raw(how === "by itself" ? "pg_try_advisory_xact_lock" : "pg_try_advisory_xact_lock_shared");
  const { rows } = await sql<{ taken: boolean }>`select ${take}(${lockNumber(name)}) as taken`.execute(tx);
  return rows[0]?.taken === true;
}

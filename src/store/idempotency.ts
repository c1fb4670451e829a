import { sql } from "kysely";
import type { Transaction } from "./store.ts";
import type { IdempotencyRecordRow } from "./tables.ts";

/** Which record: a key of one caller for one operation. */
export type IdempotencyScope = Pick<IdempotencyRecordRow, "tenant_id" | "caller" | "operation" | "idempotency_key">;

/** Takes a scope for the rest of the transaction; false when another transaction has it. Nobody waits. */
export async function takeIdempotencyScope(tx: Transaction, scope: IdempotencyScope): Promise<boolean> {
  const name = JSON.stringify([scope.tenant_id, scope.caller, scope.operation, scope.idempotency_key]);
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as taken`.execute(tx);
  return rows[0]?.taken ?? false;
}

/** The record of a scope that was made at or after `since`; undefined without one. */
export function findIdempotencyRecord(
  tx: Transaction,
  scope: IdempotencyScope,
  since: string,
): Promise<Pick<IdempotencyRecordRow, "request_hash" | "response"> | undefined> {
  return tx
    .selectFrom("idempotency_records")
    .select(["request_hash", "response"])
    .where("tenant_id", "=", scope.tenant_id)
    .where("caller", "=", scope.caller)
    .where("operation", "=", scope.operation)
    .where("idempotency_key", "=", scope.idempotency_key)
    .where("created_at", ">", since)
    .executeTakeFirst();
}

/** Writes a record, over an expired one of its scope. */
export async function writeIdempotencyRecord(tx: Transaction, row: IdempotencyRecordRow): Promise<void> {
  await tx
    .insertInto("idempotency_records")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["tenant_id", "caller", "operation", "idempotency_key"]).doUpdateSet({
        request_hash: row.request_hash,
        response: row.response,
        created_at: row.created_at,
      }),
    )
    .execute();
}

/** Deletes every tenant's records made at or before `instant`; for a system transaction. */
export async function deleteIdempotencyRecords(tx: Transaction, instant: string): Promise<void> {
  await tx.deleteFrom("idempotency_records").where("created_at", "<=", instant).execute();
}

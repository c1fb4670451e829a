import { sql } from "kysely";
import { holdName, tryName } from "./named-lock.ts";
import { type Shards, tenantsWith } from "./shards.ts";
import type { Transaction } from "./store.ts";
import type { IdempotencyRecordRow } from "./tables/requests.ts";

/** Identifies a record: one key of one caller, for all operations. */
export type IdempotencyScope = Pick<IdempotencyRecordRow, "tenant_id" | "caller" | "idempotency_key">;

/** Locks a scope for the rest of the transaction without waiting; false when another transaction has it. */
export const takeIdempotencyScope = (tx: Transaction, scope: IdempotencyScope) => tryName(tx, nameOf(scope));

/** The same, waiting for the other transaction to end. */
export const awaitIdempotencyScope = (tx: Transaction, scope: IdempotencyScope) => holdName(tx, nameOf(scope));

function nameOf(scope: IdempotencyScope) {
  return JSON.stringify([scope.tenant_id, scope.caller, scope.idempotency_key]);
}

const RECORD = ["operation", "request_hash", "response", "reservation", "held_until"] as const;

/** What is stored of a request. */
export type IdempotencyRecord = Pick<IdempotencyRecordRow, (typeof RECORD)[number]>;

/** The record of a scope that was made at or after `since`; undefined without one. */
export function findIdempotencyRecord(
  tx: Transaction,
  scope: IdempotencyScope,
  since: string,
): Promise<IdempotencyRecord | undefined> {
  return tx
    .selectFrom("idempotency_records")
    .select(RECORD)
    .where((column) => column.and(scope))
    .where("created_at", ">", since)
    .executeTakeFirst();
}

/** Prolongs the hold on a reservation; false when it ran out, was answered or is held by another request. */
export async function renewIdempotencyRecord(
  tx: Transaction,
  scope: IdempotencyScope,
  { heldUntil, now, until }: { heldUntil: string; now: string; until: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("idempotency_records")
    .set({ held_until: until })
    .where((column) => column.and({ ...scope, held_until: heldUntil }))
    .where("held_until", ">", now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Which tenants hold a reservation. */
export function tenantsWithHolds(tx: Transaction, shards: Shards) {
  return tenantsWith(tx, shards, "idempotency_records", sql`held_until is not null`);
}

/** Ends the holds on all reservations of a tenant. Only for the start of a service of one process. */
export async function releaseIdempotencyRecords(tx: Transaction, tenantId: string): Promise<void> {
  await tx
    .updateTable("idempotency_records")
    .set({ held_until: null })
    .where("tenant_id", "=", tenantId)
    .where("held_until", "is not", null)
    .execute();
}

/** Ends the hold on a reservation, so that the request, sent again, goes on with it at once. */
export async function releaseIdempotencyRecord(
  tx: Transaction,
  scope: IdempotencyScope,
  reservation: string,
): Promise<void> {
  await tx
    .updateTable("idempotency_records")
    .set({ held_until: null })
    .where((column) => column.and({ ...scope, reservation }))
    .execute();
}

/** Forgets a request whose reservation came to nothing. */
export async function deleteIdempotencyRecord(
  tx: Transaction,
  scope: IdempotencyScope,
  reservation: string,
): Promise<void> {
  await tx
    .deleteFrom("idempotency_records")
    .where((column) => column.and({ ...scope, reservation }))
    .execute();
}

/** Writes a record, over an expired or unanswered one of its scope. */
export async function writeIdempotencyRecord(tx: Transaction, row: IdempotencyRecordRow): Promise<void> {
  const { tenant_id: _tenant, caller: _caller, idempotency_key: _key, ...change } = row;
  await tx
    .insertInto("idempotency_records")
    .values(row)
    .onConflict((conflict) => conflict.columns(["tenant_id", "caller", "idempotency_key"]).doUpdateSet(change))
    .execute();
}

/** Which tenants have records made at or before `instant`. */
export function tenantsWithOldRecords(tx: Transaction, shards: Shards, instant: string) {
  return tenantsWith(tx, shards, "idempotency_records", sql`created_at <= ${instant}`);
}

/** Deletes a tenant's records made at or before `instant`. */
export async function deleteIdempotencyRecords(tx: Transaction, tenantId: string, instant: string): Promise<void> {
  await tx
    .deleteFrom("idempotency_records")
    .where("tenant_id", "=", tenantId)
    .where("created_at", "<=", instant)
    .execute();
}

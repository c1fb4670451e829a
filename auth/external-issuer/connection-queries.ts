import { sql } from "kysely";
import { sameTenant } from "../../src/core/kernel/same-tenant.ts";
import type { Transaction } from "../../src/store/store.ts";
import type { ExternalConnectionRow } from "../../src/store/tables/identity.ts";
import { lockIdentity } from "../identities/queries.ts";

/** The current connection of tokens with this key, and its state; undefined before their first use. */
export function selectExternalConnection(tx: Transaction, tenantId: string, keyHash: string) {
  return tx
    .selectFrom("external_connections as external")
    .innerJoin("assistant_connections as connection", sameTenant("connection", "external", "connection_id"))
    .select(["external.connection_id", "connection.scopes", "connection.withheld_scopes", "connection.revoked_at"])
    .where((column) => column.and({ "external.tenant_id": tenantId, "external.key_hash": keyHash }))
    .where("external.allowed_again_at", "is", null)
    .executeTakeFirst();
}

export async function insertExternalConnection(tx: Transaction, row: ExternalConnectionRow): Promise<void> {
  await tx.insertInto("external_connections").values(row).execute();
}

/** Where there are more, later ones find the rest: each is ended by itself. */
const MOST_AT_ONCE = 20;

/** A member's live connections through the issuer beyond the `most` used last, those without withheld scopes first to go. */
export function selectUnused(
  tx: Transaction,
  { tenantId, memberId }: Record<"tenantId" | "memberId", string>,
  most: number,
) {
  return tx
    .selectFrom("external_connections as external")
    .innerJoin("assistant_connections as connection", sameTenant("connection", "external", "connection_id"))
    .select(["connection.connection_id as connectionId", "connection.withheld_scopes as withheld"])
    .where((column) => column.and({ "connection.tenant_id": tenantId, "connection.member_id": memberId }))
    .where("connection.revoked_at", "is", null)
    .orderBy(sql`cardinality(connection.withheld_scopes) > 0`, "desc")
    .orderBy(sql`coalesce(connection.last_used_at, connection.created_at)`, "desc")
    .orderBy("connection.connection_id")
    .offset(most)
    .limit(MOST_AT_ONCE)
    .execute();
}

/** Revoked connections of an external issuer that still block their tokens; newest first. */
export function selectBlocked(tx: Transaction, tenantId: string) {
  return tx
    .selectFrom("external_connections as external")
    .innerJoin("assistant_connections as connection", sameTenant("connection", "external", "connection_id"))
    .innerJoin("members as member", sameTenant("member", "connection", "member_id"))
    .select(["connection.connection_id as id", "member.email", "connection.client_id", "connection.created_at"])
    .select("connection.revoked_at")
    .where((column) => column.and({ "external.tenant_id": tenantId, "external.allowed_again_at": null }))
    .where("connection.revoked_at", "is not", null)
    .orderBy("connection.revoked_at", "desc")
    .orderBy("connection.connection_id");
}

/** {@link blockAgain} blocked them. */
export const BLOCKED = Symbol("blocked");

/**
 * Blocks the tokens of a connection that ended and whose block was removed, or answers the connection that they have by now; null
 * where they are blocked, or it is no connection of an external issuer.
 */
export async function blockAgain(tx: Transaction, tenantId: string, connectionId: string) {
  const own = tx
    .selectFrom("external_connections")
    .select(["identity_id", "key_hash"])
    .where((column) => column.and({ tenant_id: tenantId, connection_id: connectionId }));
  const unblocked = await own.where("allowed_again_at", "is not", null).executeTakeFirst();
  if (unblocked === undefined) return null;
  // As a first use does, so that there is no other one meanwhile.
  await lockIdentity(tx, { tenantId, identityId: unblocked.identity_id });
  const now = await selectExternalConnection(tx, tenantId, unblocked.key_hash);
  if (now === undefined) await setBlock(tx, { tenantId, connectionId, allowed_again_at: null });
  return now === undefined ? BLOCKED : now.connection_id;
}

/** Blocks the tokens of all ended connections, of one member or of all, that were let in again and have no connection now. */
export async function blockAllAgain(tx: Transaction, tenantId: string, memberId: string | null) {
  await sql`update external_connections set allowed_again_at = null
    where tenant_id = ${tenantId} and connection_id in (
      select distinct on (ended.key_hash) ended.connection_id from external_connections as ended
      join assistant_connections as connection
        on connection.tenant_id = ended.tenant_id and connection.connection_id = ended.connection_id
      where ended.tenant_id = ${tenantId} and ended.allowed_again_at is not null
        and connection.member_id = coalesce(${memberId}::uuid, connection.member_id)
        and not exists (select from external_connections as other where other.tenant_id = ${tenantId}
          and other.key_hash = ended.key_hash and other.allowed_again_at is null))`.execute(tx);
}

/** Removes the block of a revoked connection, or puts it back. */
export async function setBlock(
  tx: Transaction,
  { tenantId, connectionId, ...block }: { tenantId: string; connectionId: string; allowed_again_at: string | null },
): Promise<void> {
  await tx
    .updateTable("external_connections")
    .set(block)
    .where((column) => column.and({ tenant_id: tenantId, connection_id: connectionId }))
    .execute();
}

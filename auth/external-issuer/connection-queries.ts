import { sql } from "kysely";
import { sameTenant } from "../../src/core/kernel/same-tenant.ts";
import type { Transaction } from "../../src/store/store.ts";
import type { ExternalConnectionRow } from "../../src/store/tables/identity.ts";

/** The current connection of tokens with this key, and its state; undefined before their first use. Locked on request. */
export function selectExternalConnection(tx: Transaction, tenantId: string, keyHash: string, hold?: "locked") {
  const found = tx
    .selectFrom("external_connections as external")
    .innerJoin("assistant_connections as connection", sameTenant("connection", "external", "connection_id"))
    .select(["external.connection_id", "connection.scopes", "connection.withheld_scopes", "connection.revoked_at"])
    .where((column) => column.and({ "external.tenant_id": tenantId, "external.key_hash": keyHash }))
    .where("external.allowed_again_at", "is", null);
  return (hold === undefined ? found : found.forNoKeyUpdate("connection")).executeTakeFirst();
}

/** What somebody removed of the last connection of tokens with this key, which was revoked and allowed again. */
export async function selectWithheld(tx: Transaction, tenantId: string, keyHash: string) {
  const last = await tx
    .selectFrom("external_connections as external")
    .innerJoin("assistant_connections as connection", sameTenant("connection", "external", "connection_id"))
    .select("connection.withheld_scopes")
    .where((column) => column.and({ "external.tenant_id": tenantId, "external.key_hash": keyHash }))
    .orderBy("external.allowed_again_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return last?.withheld_scopes ?? [];
}

export async function insertExternalConnection(tx: Transaction, row: ExternalConnectionRow): Promise<void> {
  await tx.insertInto("external_connections").values(row).execute();
}

/** Where there are more, later first uses find the rest: each is ended by itself. */
const MOST_AT_ONCE = 20;

/** A member's live connections through the issuer beyond the `most` that were used last. */
export async function selectUnused(
  tx: Transaction,
  { tenantId, memberId }: Record<"tenantId" | "memberId", string>,
  most: number,
) {
  const rows = await tx
    .selectFrom("external_connections as external")
    .innerJoin("assistant_connections as connection", sameTenant("connection", "external", "connection_id"))
    .select("connection.connection_id as id")
    .where((column) => column.and({ "connection.tenant_id": tenantId, "connection.member_id": memberId }))
    .where("connection.revoked_at", "is", null)
    .orderBy(sql`coalesce(connection.last_used_at, connection.created_at)`, "desc")
    .orderBy("connection.connection_id")
    .offset(most)
    .limit(MOST_AT_ONCE)
    .execute();
  return rows.map(({ id }) => id);
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

/** Removes the block of a revoked connection. */
export async function liftBlock(
  tx: Transaction,
  { tenantId, connectionId, now }: { tenantId: string; connectionId: string; now: string },
): Promise<void> {
  await tx
    .updateTable("external_connections")
    .set({ allowed_again_at: now })
    .where((column) => column.and({ tenant_id: tenantId, connection_id: connectionId }))
    .execute();
}

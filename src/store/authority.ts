import type { Transaction } from "./store.ts";

/** What a connection's person may do at this instant; null when there is no such connection of that member. */
export interface ConnectionAuthority {
  revoked: boolean;
  removed: boolean;
  role: "admin" | "member";
  assistantAccess: boolean;
}

/**
 * Reads what a connection may do and holds it until the transaction ends: a revocation, removal or demotion waits,
 * or this call sees it.
 */
export async function lockConnectionAuthority(
  tx: Transaction,
  { connectionId, memberId }: { connectionId: string; memberId: string },
): Promise<ConnectionAuthority | null> {
  const row = await tx
    .selectFrom("assistant_connections as connection")
    .innerJoin("members as member", "member.member_id", "connection.member_id")
    .innerJoin("tenants as tenant", "tenant.tenant_id", "connection.tenant_id")
    .select(["connection.revoked_at", "member.removed_at", "member.role", "tenant.assistant_access"])
    .where("connection.connection_id", "=", connectionId)
    .where("connection.member_id", "=", memberId)
    .forShare()
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    revoked: row.revoked_at !== null,
    removed: row.removed_at !== null,
    role: row.role,
    assistantAccess: row.assistant_access,
  };
}

/** The same for an API key; null when there is no such key. */
export async function lockKeyAuthority(
  tx: Transaction,
  keyId: string,
): Promise<{ revoked: boolean; permission: "admin" | "readonly"; apiAccess: boolean } | null> {
  const row = await tx
    .selectFrom("api_keys as key")
    .innerJoin("tenants as tenant", "tenant.tenant_id", "key.tenant_id")
    .select(["key.revoked_at", "key.permission", "tenant.api_access"])
    .where("key.key_id", "=", keyId)
    .forShare()
    .executeTakeFirst();
  if (row === undefined) return null;
  return { revoked: row.revoked_at !== null, permission: row.permission, apiAccess: row.api_access };
}

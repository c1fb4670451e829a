import type { Transaction } from "../store.ts";

/** What a connection's person may do at this instant; null when there is no such connection of that member. */
export interface ConnectionAuthority {
  revoked: boolean;
  removed: boolean;
  role: "admin" | "member";
  assistantAccess: boolean;
  /** How far the workspace lets assistants go. */
  assistants: "read" | "write";
  /** What the connection was granted and still has, space-separated. */
  scopes: string;
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
    .select(["connection.revoked_at", "connection.scopes", "member.removed_at", "member.role"])
    .select(["tenant.assistant_access", "tenant.assistants"])
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
    assistants: row.assistants,
    scopes: row.scopes,
  };
}

/**
 * The same for an API key; null when there is no such key. The weakest lock on the key itself, which only a revocation waits
 * for: other requests of the key note their use meanwhile.
 */
export async function lockKeyAuthority(
  tx: Transaction,
  keyId: string,
): Promise<{ revoked: boolean; permission: "admin" | "readonly"; apiAccess: boolean } | null> {
  const row = await tx
    .selectFrom("api_keys as key")
    .innerJoin("tenants as tenant", "tenant.tenant_id", "key.tenant_id")
    .select(["key.revoked_at", "key.permission", "tenant.api_access"])
    .where("key.key_id", "=", keyId)
    .forKeyShare("key")
    .forShare("tenant")
    .executeTakeFirst();
  if (row === undefined) return null;
  return { revoked: row.revoked_at !== null, permission: row.permission, apiAccess: row.api_access };
}

/** Whether a member is an admin now; holds that until the transaction ends. */
export async function lockAdmin(
  tx: Transaction,
  { tenantId, memberId }: { tenantId: string; memberId: string },
): Promise<boolean> {
  const row = await tx
    .selectFrom("members")
    .select("role")
    .where("tenant_id", "=", tenantId)
    .where("member_id", "=", memberId)
    .where("removed_at", "is", null)
    .forShare()
    .executeTakeFirst();
  return row?.role === "admin";
}

/** Whether somebody is a member of the workspace now. */
export async function isMember(
  tx: Transaction,
  { tenantId, memberId }: { tenantId: string; memberId: string },
): Promise<boolean> {
  const row = await tx
    .selectFrom("members")
    .select("member_id")
    .where("tenant_id", "=", tenantId)
    .where("member_id", "=", memberId)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

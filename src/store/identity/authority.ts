import { sql } from "kysely";
import type { Transaction } from "../store.ts";
import type { AssistantConnectionRow } from "../tables/identity.ts";

/** What a connection's person may do at this instant; null when there is no such connection of that member. */
export interface ConnectionAuthority {
  revoked: boolean;
  removed: boolean;
  role: "admin" | "member";
  assistantAccess: boolean;
  /** How far the workspace lets assistants go. */
  assistants: "read" | "write";
  /** What the connection was granted and still has. */
  scopes: AssistantConnectionRow["scopes"];
}

/** Reads what a connection may do and holds it: a revocation, removal or demotion waits, or this call sees it. */
export async function lockConnectionAuthority(
  tx: Transaction,
  { connectionId, memberId }: { connectionId: string; memberId: string },
): Promise<ConnectionAuthority | null> {
  const found = await tx
    .selectFrom("assistant_connections as connection")
    .innerJoin("members as member", "member.member_id", "connection.member_id")
    .innerJoin("tenants as tenant", "tenant.tenant_id", "connection.tenant_id")
    .select([revokedIn("connection"), "connection.scopes", "member.role"])
    .select([sql<boolean>`member.removed_at is not null`.as("removed")])
    .select(["tenant.assistant_access as assistantAccess", "tenant.assistants"])
    .where((column) => column.and({ "connection.connection_id": connectionId, "connection.member_id": memberId }))
    .forShare()
    .executeTakeFirst();
  return found ?? null;
}

const revokedIn = (table: "connection" | "key") => sql<boolean>`${sql.ref(table)}.revoked_at is not null`.as("revoked");

/** The same for an API key; its weakest lock, which only a revocation waits for and not the key's other requests. */
export async function lockKeyAuthority(
  tx: Transaction,
  keyId: string,
): Promise<{ revoked: boolean; permission: "admin" | "readonly"; apiAccess: boolean } | null> {
  const found = await tx
    .selectFrom("api_keys as key")
    .innerJoin("tenants as tenant", "tenant.tenant_id", "key.tenant_id")
    .select([revokedIn("key"), "key.permission", "tenant.api_access as apiAccess"])
    .where("key.key_id", "=", keyId)
    .forKeyShare("key")
    .forShare("tenant")
    .executeTakeFirst();
  return found ?? null;
}

/** A member, as an act of theirs names them. */
interface MemberKey {
  tenantId: string;
  memberId: string;
}

const presentMember = (tx: Transaction, { tenantId, memberId }: MemberKey) =>
  tx
    .selectFrom("members")
    .select("role")
    .where((column) => column.and({ tenant_id: tenantId, member_id: memberId, removed_at: null }));

/** The same as {@link roleOf}, and holds it until the transaction ends. */
export async function lockRole(tx: Transaction, member: MemberKey): Promise<"admin" | "member" | undefined> {
  return (await presentMember(tx, member).forShare().executeTakeFirst())?.role;
}

/** What somebody is in the workspace now; undefined for who is no member. */
export async function roleOf(tx: Transaction, member: MemberKey): Promise<"admin" | "member" | undefined> {
  return (await presentMember(tx, member).executeTakeFirst())?.role;
}

/** Scopes of the assistant route (completions §2). */
export const SCOPES = ["receivables:read", "payment_links:write", "tasks:write", "receipts:push"] as const;
export type Scope = (typeof SCOPES)[number];

/** What a person may do in one tenant (completions §1). */
export type Role = "admin" | "member";

/** What an API key may do, chosen at creation (service.md §5.2). */
export type Permission = "admin" | "readonly";

/** A system, by its tenant's API key. */
export interface ApiKeyActor {
  readonly kind: "api_key";
  readonly tenantId: string;
  readonly keyId: string;
  readonly permission: Permission;
  /** The key's use before this one, as authentication found it; null for its first. Absent where nobody looked. */
  readonly lastUsedAt?: string | null;
}

/** A person through an assistant connection; `role` is what it was when this call was authenticated. */
export interface MemberActor {
  readonly kind: "member";
  readonly tenantId: string;
  readonly memberId: string;
  readonly role: Role;
  readonly connectionId: string;
  readonly scopes: readonly Scope[];
}

/** Who a call acts as (completions §1). The tenant of every operation comes from here, never from input. */
export type Actor = ApiKeyActor | MemberActor;

/** Keeps the known scopes of a space-separated list, in our own order. */
export function parseScopes(text: string): Scope[] {
  const asked = new Set(text.split(" "));
  return SCOPES.filter((scope) => asked.has(scope));
}

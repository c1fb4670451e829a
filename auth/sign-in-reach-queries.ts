import { type RawBuilder, sql } from "kysely";

/** A signed-in person, and where their sign-in counts. */
export interface SignedIn {
  readonly personId: string;
  /**
   * The only workspace the sign-in counts for: its OpenID provider vouched for the person, and says nothing about their
   * other workspaces or account settings (such as the password). Null if they signed in with us.
   */
  readonly tenantId: string | null;
  /** They signed in with a second factor besides their password. */
  readonly secondFactor: boolean;
}

/** Whether a sign-in counts in a workspace, by its current sign-in rules. */
export function countsIn(
  { tenantId: only, secondFactor }: Omit<SignedIn, "personId">,
  tenantId: string,
): RawBuilder<boolean> {
  if (only !== null) return sql`${only === tenantId}::boolean`;
  return suffices(tenantId, sql`${secondFactor}::boolean`);
}

/** Whether a workspace has a sign-in provider of its own. */
export function hasProvider(tenantId: string): RawBuilder<boolean> {
  return sql`exists (select from sign_in_providers as provider where provider.tenant_id = ${tenantId})`;
}

/** Who a workspace's `member` is to its provider: issuer and subject, of each account that is linked. */
export const accountsOf = (tenantId: string): RawBuilder<string[]> => sql`array(
  select identity.issuer || ' ' || identity.subject from member_identities as identity
  join sign_in_providers as provider on provider.tenant_id = identity.tenant_id and provider.issuer = identity.issuer
  where identity.tenant_id = ${tenantId} and provider.tenant_id = ${tenantId}
    and identity.member_id = member.member_id and identity.removed_at is null)`;

/** Whether a workspace's provider is linked to its `member`. */
export const isLinked = (tenantId: string): RawBuilder<boolean> => sql`cardinality(${accountsOf(tenantId)}) > 0`;

/** Whether a workspace takes passwords, with a second factor or without. */
export function opensByPassword(tenantId: string) {
  return suffices(tenantId, sql`true`);
}

/** Whether a password suffices, or with `secondFactor` true a password and a second factor. */
function suffices(tenantId: string, secondFactor: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`not exists (select from sign_in_rules as rule where rule.tenant_id = ${tenantId}
    and (rule.second_factor and not ${secondFactor} or rule.provider_only and ${hasProvider(tenantId)}))`;
}

import { sql } from "kysely";
import { ofTenantsAt } from "../../src/store/identity/tenant-routes.ts";
import type { Transaction } from "../../src/store/store.ts";
import type { SignInRuleRow } from "../../src/store/tables/identity.ts";
import { isLinked } from "../sign-in-reach-queries.ts";
import { selectProvider } from "../upstream-sign-in/provider-queries.ts";

export function selectRules(tx: Transaction, tenantId: string): Promise<SignInRuleRow | undefined> {
  return tx.selectFrom("sign_in_rules").selectAll().where("tenant_id", "=", tenantId).executeTakeFirst();
}

/** Whether a workspace takes passwords: not where it requires its own OpenID provider, and has one. */
export async function takesPasswords(tx: Transaction, tenantId: string): Promise<boolean> {
  const rules = await selectRules(tx, tenantId);
  return rules?.provider_only !== true || (await selectProvider(tx, tenantId)) === undefined;
}

export async function upsertRules(tx: Transaction, row: SignInRuleRow): Promise<void> {
  const { provider_only, second_factor, updated_at } = row;
  await tx
    .insertInto("sign_in_rules")
    .values(row)
    .onConflict((conflict) => conflict.column("tenant_id").doUpdateSet({ provider_only, second_factor, updated_at }))
    .execute();
}

/** How a member could sign in under the rules: linked to the workspace's provider, or with a second factor. */
export async function waysOf(
  tx: Transaction,
  { tenantId, memberId }: { tenantId: string; memberId: string },
): Promise<{ isLinked: boolean; personId: string | null }> {
  const { rows } = await sql<{ is_linked: boolean; person_id: string }>`
    select ${isLinked(tenantId)} as is_linked, member.person_id
    from members as member where member.tenant_id = ${tenantId} and member.member_id = ${memberId}`.execute(tx);
  return { isLinked: rows[0]?.is_linked ?? false, personId: rows[0]?.person_id ?? null };
}

/** In how many of a person's workspaces their password suffices, and in how many it would with a second factor. */
export async function reachOfPassword(tx: Transaction, personId: string) {
  const asked = await ofTenantsAt(tx, { kind: "person", key: personId }, (tenantId) => askedIn(tx, tenantId, personId));
  const withFactor = asked.filter((one) => !one.by_provider);
  return {
    all: asked.length,
    withFactor: withFactor.length,
    without: withFactor.filter((one) => !one.by_factor).length,
  };
}

async function askedIn(tx: Transaction, tenantId: string, personId: string) {
  const { rows } = await sql<{ by_provider: boolean; by_factor: boolean }>`
    select rule.provider_only is true and exists (
        select from sign_in_providers as provider where provider.tenant_id = ${tenantId}) as by_provider,
      rule.second_factor is true as by_factor
    from members as member left join sign_in_rules as rule on rule.tenant_id = ${tenantId} and rule.tenant_id = member.tenant_id
    where member.tenant_id = ${tenantId} and member.person_id = ${personId} and member.removed_at is null`.execute(tx);
  return rows;
}

import { addRoutes } from "../../src/store/identity/tenant-routes.ts";
import type { Transaction } from "../../src/store/store.ts";
import type { SignInProviderRow } from "../../src/store/tables/identity.ts";

export function selectProvider(tx: Transaction, tenantId: string) {
  return tx.selectFrom("sign_in_providers").selectAll().where("tenant_id", "=", tenantId).executeTakeFirst();
}

/** The workspace for emails of a domain. */
export async function selectTenantByDomain(tx: Transaction, domain: string): Promise<string | null> {
  const found = tx.selectFrom("sign_in_domains").select("tenant_id").where("domain", "=", domain);
  return (await found.executeTakeFirst())?.tenant_id ?? null;
}

export async function selectDomains(tx: Transaction, tenantId: string): Promise<string[]> {
  const found = tx.selectFrom("sign_in_domains").select("domain").where("tenant_id", "=", tenantId);
  return (await found.orderBy("domain").execute()).map(({ domain }) => domain);
}

/** The first of these domains that belongs to another workspace. */
export async function selectTakenDomain(
  tx: Transaction,
  { tenantId, domains }: { tenantId: string; domains: readonly string[] },
): Promise<string | null> {
  if (domains.length === 0) return null;
  const row = await tx
    .selectFrom("sign_in_domains")
    .select("domain")
    .where("domain", "in", domains)
    .where("tenant_id", "!=", tenantId)
    .executeTakeFirst();
  return row?.domain ?? null;
}

/** Replaces a workspace's provider and domains. */
export async function replaceProvider(
  tx: Transaction,
  row: SignInProviderRow,
  domains: readonly string[],
): Promise<void> {
  await deleteProvider(tx, row.tenant_id);
  await addRoutes(tx, row.tenant_id, [{ kind: "sign_in", key: row.tenant_id }]);
  await tx.insertInto("sign_in_providers").values(row).execute();
  const rows = domains.map((domain) => ({ tenant_id: row.tenant_id, domain }));
  if (rows.length > 0) await tx.insertInto("sign_in_domains").values(rows).execute();
}

/** Deletes a provider with its domains; false if there was none. */
export async function deleteProvider(tx: Transaction, tenantId: string): Promise<boolean> {
  await tx.deleteFrom("sign_in_domains").where("tenant_id", "=", tenantId).execute();
  await tx.deleteFrom("tenant_routes").where("kind", "=", "sign_in").where("tenant_id", "=", tenantId).execute();
  const provider = tx.deleteFrom("sign_in_providers").where("tenant_id", "=", tenantId);
  return (await provider.executeTakeFirst()).numDeletedRows > 0n;
}

export async function hasProviders(tx: Transaction): Promise<boolean> {
  const routes = tx.selectFrom("tenant_routes").select("tenant_id").where("kind", "=", "sign_in");
  return (await routes.limit(1).executeTakeFirst()) !== undefined;
}

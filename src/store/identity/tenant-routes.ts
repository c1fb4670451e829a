import { hash } from "node:crypto";
import type { Transaction } from "../store.ts";
import type { TenantRouteRow } from "../tables/identity.ts";

/** What leads to a tenant. */
type TenantRoute = Pick<TenantRouteRow, "kind" | "key">;

/** Keys that may be of any length. */
const HASHED: ReadonlySet<TenantRoute["kind"]> = new Set(["identity", "client"]);

/** How a route's key stands in the directory. */
const keyOf = ({ kind, key }: TenantRoute): string => (HASHED.has(kind) ? hash("sha256", key) : key);

/** Notes what leads to a tenant, before or with the row it leads to. */
export async function addRoutes(tx: Transaction, tenantId: string, routes: readonly TenantRoute[]): Promise<void> {
  await tx
    .insertInto("tenant_routes")
    .values(routes.map((route) => ({ kind: route.kind, key: keyOf(route), tenant_id: tenantId })))
    .onConflict((conflict) => conflict.columns(["kind", "key", "tenant_id"]).doNothing())
    .execute();
}

/** The tenants that something leads to, as far as the directory knows; whether it does, their own rows say. */
export async function tenantsAt(tx: Transaction, route: TenantRoute, most?: number): Promise<string[]> {
  const rows = await tx
    .selectFrom("tenant_routes")
    .select("tenant_id")
    .where("kind", "=", route.kind)
    .where("key", "=", keyOf(route))
    .orderBy("tenant_id")
    .$if(most !== undefined, (query) => query.limit(most ?? 0))
    .execute();
  return rows.map((row) => row.tenant_id);
}

/** Asks one tenant after the other of those that something leads to, and gathers what they answer. */
export async function ofTenantsAt<T>(
  tx: Transaction,
  route: TenantRoute,
  ask: (tenantId: string) => Promise<readonly T[]>,
  only: string | null = null,
): Promise<T[]> {
  const found: T[] = [];
  for (const tenantId of only === null ? await tenantsAt(tx, route) : [only]) found.push(...(await ask(tenantId)));
  return found;
}

/** Of something that leads to one tenant: what that answers; undefined where nothing does. */
export async function ofTenantAt<T>(
  tx: Transaction,
  route: TenantRoute,
  ask: (tenantId: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const tenantId of await tenantsAt(tx, route)) {
    const found = await ask(tenantId);
    if (found !== undefined) return found;
  }
  return undefined;
}

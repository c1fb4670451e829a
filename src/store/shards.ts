import { type RawBuilder, sql } from "kysely";
import type { TenantTables, Transaction } from "./tables/index.ts";

/** The tenants that a query across tenants covers: all, except those on workers that do not answer. */
export interface Shards {
  /** Workers that do not answer, by host and port; their tenants are left out. */
  readonly away: readonly string[];
  /** Whether tenants are distributed over several servers, which rules out recursive queries. */
  readonly isDistributed: boolean;
  /** A condition that a tenant is covered. */
  has(tenantId: RawBuilder<unknown>): RawBuilder<boolean>;
}

/** The tenants that have certain rows in a table. */
export async function tenantsWith(
  tx: Transaction,
  shards: Shards,
  table: keyof TenantTables,
  condition: RawBuilder<unknown>,
): Promise<string[]> {
  const { rows } = await sql<{ tenant_id: string }>`
    select distinct tenant_id from ${sql.table(table)}
    where ${condition} and ${shards.has(sql.ref("tenant_id"))}`.execute(tx);
  return rows.map((row) => row.tenant_id);
}

/** All tenants, on one server. */
export const ONE_SERVER: Shards = { away: [], isDistributed: false, has: () => sql<boolean>`true` };

/** All tenants, on several servers. */
export const EVERY_WORKER: Shards = { ...ONE_SERVER, isDistributed: true };

/** Only those tenants. */
export const ofTenants = (ids: readonly string[], away: readonly string[]): Shards => ({
  away,
  isDistributed: true,
  has: (tenantId) => sql<boolean>`${tenantId} = any(${`{${ids.join(",")}}`}::uuid[])`,
});

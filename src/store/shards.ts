import { type RawBuilder, sql } from "kysely";
import type { TenantTables, Transaction } from "./tables/index.ts";

/** Of which tenants a look at all of them tells: of every one, unless a worker that some lie on is away. */
export interface Shards {
  /** Workers that do not answer, by host and port: their tenants are left out. */
  readonly away: readonly string[];
  /** Whether tenants lie on several servers, to which no recursive query goes. */
  readonly isDistributed: boolean;
  /** A condition: the tenant is looked at. */
  has(tenantId: RawBuilder<unknown>): RawBuilder<boolean>;
}

/** The tenants that have rows of some kind in a table. */
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

/** All of them, on one server. */
export const ONE_SERVER: Shards = { away: [], isDistributed: false, has: () => sql<boolean>`true` };

/** All of them, on several. */
export const EVERY_WORKER: Shards = { ...ONE_SERVER, isDistributed: true };

/** Only those tenants. */
export const ofTenants = (ids: readonly string[], away: readonly string[]): Shards => ({
  away,
  isDistributed: true,
  has: (tenantId) => sql<boolean>`${tenantId} = any(${`{${ids.join(",")}}`}::uuid[])`,
});

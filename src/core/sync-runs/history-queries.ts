import { sql } from "kysely";
import type { Shards } from "../../store/shards.ts";
import type { Transaction } from "../../store/store.ts";
import type { SyncRunRow } from "../../store/tables/erp.ts";

/**
 * Marks the earlier runs of the connection that a run covers: those that began before it and read no further id and no older
 * invoices. They no longer give any invoice its `last_synced_at` (service.md §2.3). The caller holds the connection's lock.
 */
export async function supersedeRuns(tx: Transaction, run: Pick<SyncRunRow, "tenant_id" | "sync_run_id">) {
  await sql`update sync_runs as earlier set covers = false from sync_runs as run
    where run.tenant_id = ${run.tenant_id} and run.sync_run_id = ${run.sync_run_id}
      and earlier.tenant_id = ${run.tenant_id} and earlier.connection_id = run.connection_id
      and earlier.covers and earlier.sync_run_id <> run.sync_run_id and earlier.started_at <= run.started_at
      and (earlier.read_through is null or earlier.read_through <= run.read_through)
      and (earlier.read_through is null or run.pull_from is null or run.pull_from <= earlier.pull_from)`.execute(tx);
}

/** Runs that ended before an instant, but none that gives an invoice its `last_synced_at` and not the latest of a connection. */
const isOld = (before: string) => sql`old.started_at < ${before} and old.finished_at < ${before} and not old.covers
  and old.retirement is null
  and exists (select from sync_runs as later
    where later.tenant_id = old.tenant_id and later.connection_id = old.connection_id and later.started_at > old.started_at)`;

/** The tenants that have such runs. */
export async function tenantsWithOldRuns(tx: Transaction, shards: Shards, before: string): Promise<string[]> {
  const { rows } = await sql<{ tenant_id: string }>`
    select tenants.tenant_id from tenants where ${shards.has(sql.ref("tenants.tenant_id"))}
      and exists (select from sync_runs as old where old.tenant_id = tenants.tenant_id and ${isOld(before)})`.execute(
    tx,
  );
  return rows.map((row) => row.tenant_id);
}

/** Deletes up to `limit` of a tenant, oldest first, which an array chooses once. Answers how many. */
export async function deleteOldRuns(
  tx: Transaction,
  tenantId: string,
  { before, limit }: { before: string; limit: number },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from sync_runs as run where run.tenant_id = ${tenantId} and run.sync_run_id = any(array(
      select old.sync_run_id from sync_runs as old where old.tenant_id = ${tenantId} and ${isOld(before)}
      order by old.started_at limit ${limit}))`.execute(tx);
  return Number(numAffectedRows);
}

import { sql } from "kysely";
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

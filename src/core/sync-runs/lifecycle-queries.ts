import { sql } from "kysely";
import type { Transaction } from "../../store/store.ts";
import type { SyncRunRow } from "../../store/tables/erp.ts";

/** A run and whose it is. */
export type RunKey = Pick<SyncRunRow, "tenant_id" | "sync_run_id">;

/** A run as the process that leads it needs it. */
export type RunToLead = Pick<SyncRunRow, "tenant_id" | "sync_run_id" | "connection_id" | "started_at" | "pull_from">;

/** A connection, locked for a change. A connection is always locked before its run. */
export function lockConnection(tx: Transaction, tenantId: string, connectionId: string) {
  return connection(tx, tenantId, connectionId).forNoKeyUpdate().executeTakeFirst();
}

/** A connection of the tenant; undefined when missing. */
export function findConnection(tx: Transaction, tenantId: string, connectionId: string) {
  return connection(tx, tenantId, connectionId).executeTakeFirst();
}

/** A connection, locked against changes until the transaction ends. */
export function shareConnection(tx: Transaction, tenantId: string, connectionId: string) {
  return connection(tx, tenantId, connectionId).forShare().executeTakeFirst();
}

function connection(tx: Transaction, tenantId: string, connectionId: string) {
  return tx
    .selectFrom("erp_connections")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("connection_id", "=", connectionId);
}

/** Inserts a running run; false when the connection has one in flight (service.md §3.5). */
export async function insertRun(
  tx: Transaction,
  run: Pick<SyncRunRow, "tenant_id" | "sync_run_id" | "connection_id" | "trigger" | "started_at" | "pull_from">,
): Promise<boolean> {
  const inserted = await tx
    .insertInto("sync_runs")
    .values({
      ...run,
      status: "running",
      finished_at: null,
      read_through: null,
      error_code: null,
      error_message: null,
    })
    .onConflict((conflict) =>
      // A literal: a generic plan would not use the partial index of running runs.
      conflict.columns(["tenant_id", "connection_id"]).where("status", "=", sql.lit("running")).doNothing(),
    )
    .returning("sync_run_id")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Locks a run that is running under the claim; false when it is not. */
export async function lockLedRun(tx: Transaction, run: RunKey, claimId: string): Promise<boolean> {
  const row = await tx
    .selectFrom("sync_runs")
    .select("sync_run_id")
    .where("tenant_id", "=", run.tenant_id)
    .where("sync_run_id", "=", run.sync_run_id)
    .where("status", "=", "running")
    .where("claim_id", "=", claimId)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** What a page adds to its run. */
interface RunProgress {
  readThrough: string | null;
  read: number;
  created: number;
  updated: number;
  leaseUntil: string;
}

export async function addProgress(tx: Transaction, run: RunKey, progress: RunProgress): Promise<void> {
  await tx
    .updateTable("sync_runs")
    .set((column) => ({
      read_through: progress.readThrough ?? column.ref("read_through"),
      invoices_read: column("invoices_read", "+", progress.read),
      invoices_created: column("invoices_created", "+", progress.created),
      invoices_updated: column("invoices_updated", "+", progress.updated),
      lease_expires_at: progress.leaseUntil,
    }))
    .where("tenant_id", "=", run.tenant_id)
    .where("sync_run_id", "=", run.sync_run_id)
    .execute();
}

/** The run of a connection that is in flight, if any. */
export function runInFlight(tx: Transaction, tenantId: string, connectionId: string): Promise<RunKey | undefined> {
  return tx
    .selectFrom("sync_runs")
    .select(["tenant_id", "sync_run_id"])
    .where("tenant_id", "=", tenantId)
    .where("connection_id", "=", connectionId)
    .where("status", "=", "running")
    .executeTakeFirst();
}

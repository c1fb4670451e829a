import { sql } from "kysely";
import type { Transaction } from "../../store/store.ts";
import type { SyncRunRow } from "../../store/tables/erp.ts";

/** A run and whose it is. */
export type RunKey = Pick<SyncRunRow, "tenant_id" | "sync_run_id">;

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

/** The run of a connection that is in flight, if any. */
export function runInFlight(tx: Transaction, tenantId: string, connectionId: string): Promise<RunKey | undefined> {
  return tx
    .selectFrom("sync_runs")
    .select(["tenant_id", "sync_run_id"])
    .where((column) => column.and({ tenant_id: tenantId, connection_id: connectionId, status: "running" }))
    .executeTakeFirst();
}

import { sql } from "kysely";
import type { Shards } from "../../store/shards.ts";
import type { Transaction } from "../../store/store.ts";
import type { SyncRunRow, WouldRetire } from "../../store/tables/erp.ts";
import { UNCLAIMED } from "../../store/work-queue.ts";
import { supersedeRuns } from "./history-queries.ts";
import type { RunKey } from "./reserve-queries.ts";

/** Ends a run whose ERP was read to the end; `retired` invoices were not found any more. */
export async function markSucceeded(tx: Transaction, run: RunKey, retired: number, at: string): Promise<void> {
  await tx
    .updateTable("sync_runs")
    .set({
      status: "succeeded",
      finished_at: at,
      read_through: "Infinity",
      invoices_retired: retired,
      ...UNCLAIMED,
    })
    .where((column) => column.and({ tenant_id: run.tenant_id, sync_run_id: run.sync_run_id }))
    .execute();
  await supersedeRuns(tx, run);
}

/** Why a run failed: one of the codes of completions §4, and a message for any caller, or what it holds back. */
export interface RunFailure {
  code: NonNullable<SyncRunRow["error_code"]>;
  message: string | null;
  wouldRetire?: WouldRetire;
}

/** A run is lost when its lease ended before `now`, or ends beyond `farthest`, which only a wrong clock sets. */
export interface Lost {
  readonly now: string;
  readonly farthest: string;
}

const isLost = ({ now, farthest }: Lost) => sql<boolean>`(lease_expires_at < ${now} or lease_expires_at > ${farthest})`;

/** Fails a running run, or only one that is lost; false when there is nothing to fail. */
export async function markFailed(
  tx: Transaction,
  run: RunKey,
  failure: RunFailure,
  at: string,
  lost: Lost | null = null,
): Promise<boolean> {
  let query = tx
    .updateTable("sync_runs")
    .set({
      status: "failed",
      finished_at: at,
      error_code: failure.code,
      error_message: failure.message,
      ...(failure.wouldRetire === undefined
        ? {}
        : { would_retire: JSON.stringify(failure.wouldRetire), retirement: "held" }),
      ...UNCLAIMED,
      covers: sql<boolean>`read_through is not null`,
    })
    .where((column) => column.and({ tenant_id: run.tenant_id, sync_run_id: run.sync_run_id, status: "running" }));
  if (lost !== null) query = query.where(isLost(lost));
  const result = await query.executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  await supersedeRuns(tx, run);
  return true;
}

/** Running runs of all tenants: the lost ones, or every one when `lost` is null. */
export function abandonedRuns(tx: Transaction, shards: Shards, lost: Lost | null) {
  let query = tx
    .selectFrom("sync_runs")
    .select(["tenant_id", "sync_run_id", "connection_id"])
    .where(shards.has(sql.ref("tenant_id")))
    // A literal: a generic plan would not use the partial index of running runs.
    .where("status", "=", sql.lit("running"));
  if (lost !== null) query = query.where(isLost(lost));
  return query.execute();
}

import type { InferResult } from "kysely";
import type { z } from "zod";
import type { Transaction } from "../../store/store.ts";
import { heldInWords } from "./held-words.ts";
import type { SyncRun, SyncRunFilters } from "./schema.ts";

/** A run with what a response needs; `created_at` is its start, the name that lists order by. */
export type SyncRunRecord = InferResult<ReturnType<typeof matchingSyncRuns>>[number];

/** The tenant's runs that match every filter given, unordered. */
export function matchingSyncRuns(tx: Transaction, tenantId: string, filters: SyncRunFilters) {
  let query = tx
    .selectFrom("sync_runs")
    .select([
      "sync_run_id",
      "connection_id",
      "trigger",
      "status",
      "started_at",
      "finished_at",
      "invoices_read",
      "invoices_created",
      "invoices_updated",
      "invoices_retired",
      "invoices_set_aside",
      "error_code",
      "error_message",
      "would_retire",
      "started_at as created_at",
    ])
    .where("tenant_id", "=", tenantId);
  if (filters.connection_id !== undefined) query = query.where("connection_id", "=", filters.connection_id);
  if (filters.status !== undefined) query = query.where("status", "=", filters.status);
  return query;
}

/** One run of the tenant; undefined when missing. */
export function findSyncRun(tx: Transaction, tenantId: string, syncRunId: string) {
  return matchingSyncRuns(tx, tenantId, {}).where("sync_run_id", "=", syncRunId).executeTakeFirst();
}

/** The latest run of a connection. Its order is that of an index, so that not all runs are sorted. */
export function latestRunOf(tx: Transaction, tenantId: string, connectionId: string) {
  return matchingSyncRuns(tx, tenantId, { connection_id: connectionId })
    .orderBy("started_at", "desc")
    .orderBy("sync_run_id", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Why a run failed; null for one that did not. */
export function failureInWords({ error_message: message, would_retire: held }: SyncRunRecord): string | null {
  return held === null ? message : heldInWords(held);
}

/** The run as callers see it (completions §4). */
export function syncRunOnWire(row: SyncRunRecord): z.output<typeof SyncRun> {
  const {
    sync_run_id: id,
    error_code: code,
    error_message: _,
    would_retire: _held,
    created_at: _startedAt,
    ...run
  } = row;
  return { id, ...run, error: code === null ? null : { code, message: failureInWords(row) ?? "" } };
}

import type { z } from "zod";
import type { SyncRunRecord } from "./queries.ts";
import type { SyncRun } from "./schema.ts";

/** The run as callers see it (completions §4). */
export function syncRunOnWire(row: SyncRunRecord): z.output<typeof SyncRun> {
  return {
    id: row.sync_run_id,
    connection_id: row.connection_id,
    trigger: row.trigger,
    status: row.status,
    started_at: row.started_at,
    finished_at: row.finished_at,
    invoices_read: row.invoices_read,
    invoices_created: row.invoices_created,
    invoices_updated: row.invoices_updated,
    invoices_retired: row.invoices_retired,
    error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? "" },
  };
}

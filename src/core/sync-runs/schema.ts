import { z } from "zod";
import { Count, Instant, nameSchemas, Uuid } from "../kernel/wire-types.ts";

const SyncRunStatus = z.enum(["running", "succeeded", "failed"]);

/** completions §4. */
export const SyncRun = z.strictObject({
  id: Uuid,
  connection_id: Uuid,
  connection_name: z.string(),
  trigger: z.enum(["manual", "scheduled"]),
  status: SyncRunStatus,
  started_at: Instant,
  finished_at: Instant.nullable(),
  invoices_read: Count,
  invoices_created: Count,
  invoices_updated: Count,
  invoices_retired: Count,
  invoices_set_aside: Count,
  error: z
    .strictObject({
      code: z.enum(["authentication_failed", "erp_unreachable", "erp_rejected", "interrupted", "internal_error"]),
      message: z.string(),
    })
    .nullable(),
});

/** Filters of completions §5. */
export const SYNC_RUN_FILTERS = {
  connection_id: Uuid.optional().describe("ERP connection"),
  status: SyncRunStatus.optional().describe("Status"),
};

export type SyncRunFilters = z.output<z.ZodObject<typeof SYNC_RUN_FILTERS>>;

nameSchemas({
  SyncRun,
  SyncRunError: SyncRun.shape.error.unwrap(),
  SyncRunErrorCode: SyncRun.shape.error.unwrap().shape.code,
  SyncRunStatus,
  SyncRunTrigger: SyncRun.shape.trigger,
});

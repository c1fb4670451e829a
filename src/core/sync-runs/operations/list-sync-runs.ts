import { z } from "zod";
import { RECEIVABLES_READ } from "../../gate/actor.ts";
import { LIST_PARAMETERS } from "../../gate/list-parameters.ts";
import { listing } from "../../gate/listing.ts";
import { operation } from "../../gate/operation.ts";
import { matchingSyncRuns, syncRunOnWire } from "../queries.ts";
import { SYNC_RUN_FILTERS, SyncRun } from "../schema.ts";

/** completions §5; a run is created when it starts. */
export const listSyncRuns = operation(
  listing({
    id: "listSyncRuns",
    tag: "ERP connections",
    summary: "List sync runs",
    description: "Newest first.",
    ...RECEIVABLES_READ,
    input: z.strictObject({ ...SYNC_RUN_FILTERS, ...LIST_PARAMETERS }),
    row: SyncRun,
    query: matchingSyncRuns,
    columns: { createdAt: "started_at", id: "sync_run_id" },
    onWire: syncRunOnWire,
  }),
);

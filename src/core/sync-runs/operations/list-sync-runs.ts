import { z } from "zod";
import { READERS } from "../../gate/actor.ts";
import { examplePage, SYNC_RUN } from "../../gate/example-book.ts";
import { operation } from "../../gate/operation.ts";
import { LIST_PARAMETERS } from "../../shared/list-parameters.ts";
import { listPage, Pagination } from "../../shared/pagination.ts";
import { matchingSyncRuns, syncRunOnWire } from "../queries.ts";
import { SYNC_RUN_FILTERS, SyncRun } from "../schema.ts";

const id = "listSyncRuns";

/** completions §5; a run is created when it starts. */
export const listSyncRuns = operation({
  id,
  tag: "ERP connections",
  summary: "List sync runs",
  description: "Newest first.",
  example: { answer: examplePage(SYNC_RUN), parameters: { status: SYNC_RUN.status } },
  callers: READERS,
  permission: "readonly",
  scope: "receivables:read",
  sideEffects: "None.",
  input: z.strictObject({ ...SYNC_RUN_FILTERS, ...LIST_PARAMETERS }),
  output: z.strictObject({ data: z.array(SyncRun), pagination: Pagination }),
  async run(context, input) {
    const { rows, pagination } = await listPage(context, {
      operation: id,
      input,
      query: (db, value) => matchingSyncRuns(db, value("tenantId"), input),
      columns: { createdAt: "started_at", id: "sync_run_id" },
      idOf: (row) => row.sync_run_id,
    });
    return { data: rows.map(syncRunOnWire), pagination };
  },
});

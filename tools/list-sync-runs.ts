import { listSyncRuns } from "../src/core/sync-runs/operations/list-sync-runs.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "list_sync_runs",
  title: "List sync runs",
  description: "Pulls from the ERP, newest first: whether they worked, and what changed.",
  operation: listSyncRuns,
});

import { listSyncRuns } from "../src/core/sync-runs/operations/list-sync-runs.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "list_sync_runs",
  title: "List sync runs",
  description: "ERP pulls, newest first.",
  operation: listSyncRuns,
});

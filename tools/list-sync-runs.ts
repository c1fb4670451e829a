import { listSyncRuns } from "../src/core/sync-runs/operations/list-sync-runs.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "list_sync_runs",
  title: "List sync runs",
  description: "Pulls from the ERP, newest first: status, counts, error. At most one per connection is `running`.",
  operation: listSyncRuns,
});

import { getSyncRun } from "../src/core/sync-runs/operations/get-sync-run.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "get_sync_run",
  title: "Get sync run",
  description: "One pull from the ERP. Data is refreshed once it has `succeeded`.",
  operation: getSyncRun,
});

import { getSyncRun } from "../src/core/sync-runs/operations/list-sync-runs.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "get_sync_run",
  title: "Get sync run",
  description: "One pull: data is fresh once it `succeeded`.",
  operation: getSyncRun,
});

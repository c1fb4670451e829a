import { z } from "zod";
import { ROUTE_CALLERS } from "../actor.ts";
import { notFound } from "../error.ts";
import { operation } from "../operation.ts";
import { Uuid } from "../validation.ts";
import { findSyncRun } from "./queries.ts";
import { SyncRun } from "./schema.ts";
import { syncRunOnWire } from "./wire.ts";

/** One sync run (completions §4). Throws `not_found`. */
export const getSyncRun = operation({
  id: "getSyncRun",
  callers: ROUTE_CALLERS,
  permission: "readonly",
  scope: "receivables:read",
  sideEffects: "None.",
  input: z.strictObject({ sync_run_id: Uuid.describe("Sync run id") }),
  output: SyncRun,
  async run({ actor, tx }, { sync_run_id: syncRunId }) {
    const run = await findSyncRun(tx, actor.tenantId, syncRunId);
    if (run === undefined) throw notFound("sync run");
    return syncRunOnWire(run);
  },
});

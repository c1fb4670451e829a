import { setTimeout as sleep } from "node:timers/promises";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { startErpSync } from "../../src/core/sync-runs/operations/start-erp-sync.ts";
import { latestRunOf } from "../../src/core/sync-runs/queries.ts";
import { waitForRun } from "./wait-for-run.ts";

/** Starts a run at the terminal; its id. */
export async function startSync(core: Core, tenantId: string, connectionId: string): Promise<string> {
  return (await operate(core, tenantId, startErpSync, { connection_id: connectionId })).sync_run_id;
}

/** The first run of a connection that a service with jobs has just made, once it has ended: it starts by itself. */
export async function firstSync(core: Core, tenantId: string, connectionId: string): ReturnType<typeof waitForRun> {
  for (;;) {
    const run = await core.store.read(tenantId, (tx) => latestRunOf(tx, tenantId, connectionId));
    if (run !== undefined) return waitForRun(core, tenantId, run.sync_run_id, { everyMs: 50 });
    await sleep(50);
  }
}

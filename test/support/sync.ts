import { expect } from "vitest";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { startErpSync } from "../../src/core/sync-runs/operations/start-erp-sync.ts";
import { latestRunOf } from "../../src/core/sync-runs/queries.ts";
import { waitForRun } from "../../src/core/sync-runs/wait-for-run.ts";

/** Starts a run at the terminal; its id. */
export async function startSync(core: Core, tenantId: string, connectionId: string): Promise<string> {
  return (await operate(core, tenantId, startErpSync, { connection_id: connectionId })).sync_run_id;
}

/** The first run of a connection that a service with jobs has just made, once it has ended: it starts by itself. */
export async function firstSync(core: Core, tenantId: string, connectionId: string): ReturnType<typeof waitForRun> {
  const latest = () => core.store.read(tenantId, (tx) => latestRunOf(tx, tenantId, connectionId));
  await expect.poll(latest).toBeDefined();
  return waitForRun(core, tenantId, (await latest())?.sync_run_id ?? "", { everyMs: 50 });
}

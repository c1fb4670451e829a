import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { startErpSync } from "../../src/core/sync-runs/operations/start-erp-sync.ts";

/** Starts a run at the terminal; its id. */
export async function startSync(core: Core, tenantId: string, connectionId: string): Promise<string> {
  return (await operate(core, tenantId, startErpSync, { connection_id: connectionId })).sync_run_id;
}

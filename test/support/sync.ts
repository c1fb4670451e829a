import { startErpSync } from "../../src/core/erp-connections/operations/start-erp-sync.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";

/** Starts a run at the terminal; its id. */
export async function startSync(core: Core, tenantId: string, connectionId: string): Promise<string> {
  return (await operate(core, tenantId, startErpSync, { connection_id: connectionId })).sync_run_id;
}

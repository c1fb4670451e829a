import type { Core } from "../../src/core/core.ts";
import { startErpSync } from "../../src/core/erp-connections/start-erp-sync.ts";
import { operate } from "../../src/core/operator.ts";

/** Starts a run at the terminal; its id. */
export async function startSync(core: Core, tenantId: string, connectionId: string): Promise<string> {
  return (await operate(core, tenantId, startErpSync, { connection_id: connectionId })).sync_run_id;
}

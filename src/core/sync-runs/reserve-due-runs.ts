import { lockConnection } from "../erp-access/connection-queries.ts";
import { briskly } from "../gate/brisk.ts";
import type { Core } from "../gate/dependencies.ts";
import { farthestOf } from "../gate/retry.ts";
import { workStep } from "../gate/work-step.ts";
import { ServiceError } from "../kernel/error.ts";
import { dueConnections } from "./claim-queries.ts";
import { reserveSyncRun } from "./operations/start-erp-sync.ts";

/**
 * Reserves a scheduled run for every connection that is due, of all tenants, until `stop` is aborted. Answers how many.
 */
export async function reserveDueRuns(core: Core, stop?: AbortSignal) {
  let reserved = 0;
  for (const { tenant_id: tenantId, connection_id: connectionId } of await readDueConnections(core)) {
    if (stop?.aborted === true) break;
    try {
      if (await reserveDueRun(briskly(core), tenantId, connectionId)) reserved += 1;
    } catch (error) {
      // A ServiceError: another process was first, or the connection was switched off meanwhile.
      if (!(error instanceof ServiceError)) core.log.error({ err: error, connectionId }, "sync_run.not_reserved");
    }
  }
  return reserved;
}

const readDueConnections = workStep({
  in: "all workspaces",
  run: ({ tx, shards, now }) => dueConnections(tx, shards, { now, farthest: farthestOf(now) }),
});

/** Answers whether it was reserved: not where automatic pulls were switched off since the connection was found due. */
const reserveDueRun = workStep({
  name: "reserveDueRun",
  async run({ tx, core, actor: { tenantId } }, connectionId: string) {
    const connection = await lockConnection(tx, tenantId, connectionId);
    if (connection?.auto_sync_enabled !== true) return false;
    await reserveSyncRun(tx, core, { tenantId, connectionId, trigger: "scheduled" });
    return true;
  },
});

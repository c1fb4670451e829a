import type { Transaction } from "../../store/store.ts";
import type { SyncRunRow } from "../../store/tables/erp.ts";
import { type Core, nowOf } from "../gate/dependencies.ts";
import { notFound, ServiceError } from "../gate/error.ts";
import { lookAtAll, workStep } from "../gate/work-step.ts";
import { farthestOf } from "../shared/retry.ts";
import { dueConnections } from "./due-connection-queries.ts";
import { insertRun, lockConnection, runInFlight } from "./lifecycle-queries.ts";

/** Published when runs were reserved, so that a process claims them at once and not only at its next poll. */
export const RUNS_RESERVED = "sync_runs_reserved";

interface RunToReserve {
  tenantId: string;
  connectionId: string;
  trigger: SyncRunRow["trigger"];
}

/**
 * Reserves a run: from the commit on it is `running`, and a worker claims it (service.md §4.6). Throws `not_found`,
 * `sync_disabled`, `connection_disconnected`, and `conflict`, which names it, while the connection has a run in flight.
 */
export async function reserveSyncRun(
  tx: Transaction,
  core: Pick<Core, "clock" | "newId">,
  { tenantId, connectionId, trigger }: RunToReserve,
): Promise<string> {
  const connection = await lockConnection(tx, tenantId, connectionId);
  if (connection === undefined) throw notFound("ERP connection");
  if (!connection.sync_enabled)
    throw new ServiceError("sync_disabled", "Sync is switched off for this connection. Retrying does not help.");
  if (connection.status === "disconnected" || connection.credential === null)
    throw new ServiceError("connection_disconnected", "This connection is disconnected and holds no credential.");
  const syncRunId = core.newId();
  const reserved = await insertRun(tx, {
    tenant_id: tenantId,
    sync_run_id: syncRunId,
    connection_id: connectionId,
    trigger,
    started_at: nowOf(core),
    pull_from: connection.pull_invoice_date_from,
  });
  if (reserved) return syncRunId;
  // It may have ended meanwhile: asked again, the run is made.
  const inFlight = await runInFlight(tx, tenantId, connectionId);
  const message = `Sync run ${inFlight?.sync_run_id ?? "of this connection"} is already in flight.`;
  throw new ServiceError("conflict", message, { retryAfterSeconds: IN_FLIGHT_SECONDS });
}

/** For `Retry-After`: how long a run still takes is not known. */
const IN_FLIGHT_SECONDS = 30;

/**
 * Reserves a scheduled run for every connection that is due, of all tenants, until `stop` is aborted. Answers how many.
 */
export async function reserveDueRuns(core: Core, stop?: AbortSignal): Promise<number> {
  let reserved = 0;
  for (const { tenant_id: tenantId, connection_id: connectionId } of await readDueConnections(core)) {
    if (stop?.aborted === true) break;
    try {
      if (await reserveDueRun(core, tenantId, connectionId)) reserved += 1;
    } catch (error) {
      // A ServiceError: another process was first, or the connection was switched off meanwhile.
      if (!(error instanceof ServiceError)) core.log.error({ err: error, connectionId }, "sync_run.not_reserved");
    }
  }
  return reserved;
}

const readDueConnections = lookAtAll(({ tx, shards, now }) =>
  dueConnections(tx, shards, { now, farthest: farthestOf(now) }),
);

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

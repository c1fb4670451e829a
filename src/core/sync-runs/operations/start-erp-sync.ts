import { z } from "zod";
import type { Transaction } from "../../../store/store.ts";
import type { SyncRunRow } from "../../../store/tables/erp.ts";
import { assertConnected } from "../../erp-access/assert-connected.ts";
import { lockConnection } from "../../erp-access/connection-queries.ts";
import type { Stamping } from "../../gate/dependencies.ts";
import { MANAGERS, nowOf, operation, ROUTE_CALLERS } from "../../gate/operation.ts";
import { orNotFound, ServiceError } from "../../kernel/error.ts";
import { nameSchemas, Uuid } from "../../kernel/wire-types.ts";
import { insertRun, runInFlight } from "../claim-queries.ts";

/** Published when runs were reserved, so that a process claims them at once and not only at its next poll. */
export const RUNS_RESERVED = "sync_runs_reserved";

const StartedSync = z.strictObject({
  sync_run_id: Uuid.describe("Poll it until its status is terminal"),
  status: z.literal("running").describe("Reserved and dispatched; not yet authenticated"),
});
nameSchemas({ StartedSyncStatus: StartedSync.shape.status });

/**
 * service.md §4.6: reserves a run for a worker to claim; its progress shows in the run. Throws `not_found`, `sync_disabled`,
 * `connection_disconnected`, and `conflict` while a run of the connection is in flight.
 */
export const startErpSync = operation({
  id: "startErpSync",
  tag: "ERP connections",
  summary: "Start a sync",
  description:
    "Answers at once; the pull goes on in the background. Poll the sync run until its status is terminal. `running` says nothing of the credential: with an expired one the run fails seconds later. One run can be in flight per connection. The request has no body.",
  errors: ["conflict", "sync_disabled", "connection_disconnected"],
  callers: [...ROUTE_CALLERS, ...MANAGERS],
  permission: "admin",
  scope: null,
  sideEffects: "Starts a pull of the connection's invoices in the background; the automatic schedule is unchanged.",
  input: z.strictObject({ connection_id: Uuid.describe("ERP connection id") }),
  output: StartedSync,
  async run({ actor, tx, core, audit, afterCommit }, { connection_id: connectionId }) {
    const { tenantId } = actor;
    const syncRunId = await reserveSyncRun(tx, core, { tenantId, connectionId, trigger: "manual" });
    audit({ type: "sync_run", id: syncRunId });
    afterCommit(() => core.store.publish({ topic: RUNS_RESERVED, payload: syncRunId }));
    return { sync_run_id: syncRunId, status: "running" as const };
  },
});

interface RunToReserve {
  tenantId: string;
  connectionId: string;
  trigger: SyncRunRow["trigger"];
}

/**
 * Reserves a run: from the commit on it is `running`, and a worker claims it (service.md §4.6). Throws `not_found`,
 * `sync_disabled`, `connection_disconnected`, and `conflict`, which names it, also in its details, while the connection has a run in flight.
 */
export async function reserveSyncRun(
  tx: Transaction,
  core: Stamping,
  { tenantId, connectionId, trigger }: RunToReserve,
) {
  const connection = orNotFound(await lockConnection(tx, tenantId, connectionId), "ERP connection");
  if (!connection.sync_enabled)
    throw new ServiceError("sync_disabled", "Sync is switched off for this connection. Retrying does not help.", {
      onPage: "Sync is switched off for this ERP. Switch it on first.",
    });
  assertConnected(connection);
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
  const id = inFlight?.sync_run_id;
  throw new ServiceError("conflict", `Sync run ${id ?? "of this connection"} is already in flight.`, {
    retryAfterSeconds: IN_FLIGHT_SECONDS,
    ...(id !== undefined && { details: [{ field: "sync_run_id", message: id }] }),
  });
}

/** For `Retry-After`: how long a run still takes is not known. */
const IN_FLIGHT_SECONDS = 30;

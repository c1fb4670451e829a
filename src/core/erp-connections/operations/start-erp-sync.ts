import { z } from "zod";
import { MANAGERS, ROUTE_CALLERS } from "../../gate/actor.ts";
import { SYNC_RUN } from "../../gate/example-book.ts";
import { operation } from "../../gate/operation.ts";
import { Uuid } from "../../shared/wire-types.ts";
import { RUNS_RESERVED, reserveSyncRun } from "../../sync-runs/reserve-run.ts";

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
  example: { answer: { sync_run_id: SYNC_RUN.id, status: "running" } },
  callers: [...ROUTE_CALLERS, ...MANAGERS],
  permission: "admin",
  scope: null,
  sideEffects: "Starts a pull of the connection's invoices in the background; the automatic schedule is unchanged.",
  input: z.strictObject({ connection_id: Uuid.describe("ERP connection id") }),
  output: z.strictObject({
    sync_run_id: Uuid.describe("Poll it until its status is terminal"),
    status: z.literal("running").describe("Reserved and dispatched; not yet authenticated"),
  }),
  async run({ actor, tx, core, audit, afterCommit }, { connection_id: connectionId }) {
    const { tenantId } = actor;
    const syncRunId = await reserveSyncRun(tx, core, { tenantId, connectionId, trigger: "manual" });
    audit({ type: "sync_run", id: syncRunId });
    afterCommit(() => core.store.publish({ topic: RUNS_RESERVED, payload: syncRunId }));
    return { sync_run_id: syncRunId, status: "running" as const };
  },
});

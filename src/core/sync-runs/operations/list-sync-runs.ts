import { z } from "zod";
import type { Transaction } from "../../../store/store.ts";
import { connectionNames } from "../../erp-access/connection-queries.ts";
import { LIST_PARAMETERS } from "../../gate/list-parameters.ts";
import { listing } from "../../gate/listing.ts";
import { operation, RECEIVABLES_READ } from "../../gate/operation.ts";
import { orNotFound } from "../../kernel/error.ts";
import { Uuid } from "../../kernel/wire-types.ts";
import { findSyncRun, matchingSyncRuns, syncRunOnWire } from "../queries.ts";
import { SYNC_RUN_FILTERS, SyncRun } from "../schema.ts";

const unnamed = listing({
  id: "listSyncRuns",
  tag: "ERP connections",
  summary: "List sync runs",
  description:
    "Newest first, by when they started. Judge how fresh figures are by the connection's `last_successful_sync_at`, not by a run.",
  ...RECEIVABLES_READ,
  input: z.strictObject({ ...SYNC_RUN_FILTERS, ...LIST_PARAMETERS }),
  row: SyncRun.omit({ connection_name: true }),
  query: matchingSyncRuns,
  columns: { createdAt: "started_at", id: "sync_run_id" },
  onWire: syncRunOnWire,
});

/** completions §5; a run is created when it starts. */
export const listSyncRuns = operation({
  ...unnamed,
  output: unnamed.output.extend({ data: z.array(SyncRun) }),
  async run(context, input) {
    const page = await unnamed.run(context, input);
    return { ...page, data: await named(context, page.data) };
  },
});

/** One sync run (completions §4). Throws `not_found`. */
export const getSyncRun = operation({
  id: "getSyncRun",
  tag: "ERP connections",
  summary: "Read a sync run",
  description: "`succeeded` and `failed` are terminal. A run that was cut off has failed with `interrupted`.",
  ...RECEIVABLES_READ,
  callers: [...RECEIVABLES_READ.callers, "operator"],
  input: z.strictObject({ sync_run_id: Uuid.describe("Sync run id") }),
  output: SyncRun,
  async run({ actor, tx }, { sync_run_id: syncRunId }) {
    const found = orNotFound(await findSyncRun(tx, actor.tenantId, syncRunId), "sync run");
    const [run] = await named({ actor, tx }, [syncRunOnWire(found)]);
    return orNotFound(run, "sync run");
  },
});

/** Runs with what their connections are called. */
async function named(
  { tx, actor }: { tx: Transaction; actor: { tenantId: string } },
  runs: readonly ReturnType<typeof syncRunOnWire>[],
) {
  const ids = runs.map((run) => run.connection_id);
  const names = await connectionNames(tx, actor.tenantId, ids);
  return runs.map((run) => ({ ...run, connection_name: names.get(run.connection_id) ?? "" }));
}

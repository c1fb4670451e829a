import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import type { Core } from "../core.ts";
import { notFound } from "../error.ts";
import { type PageAdmin, recordAdminAct } from "../operator.ts";
import { findSyncRun } from "./queries.ts";
import { RUNS_RESERVED, reserveSyncRun } from "./reserve-run.ts";
import type { SyncRun } from "./schema.ts";
import { syncRunOnWire } from "./wire.ts";

/**
 * Starts a manual run and answers its id; without `by` it is an operator. Throws `permission_denied`, and as
 * {@link reserveSyncRun} does.
 */
export async function startSync(core: Core, tenantId: string, connectionId: string, by?: PageAdmin): Promise<string> {
  const syncRunId = await core.store.write(tenantId, async (tx) => {
    const reserved = await reserveSyncRun(tx, core, { tenantId, connectionId, trigger: "manual" });
    const act = { tenantId, operation: "startErpSync", objectType: "sync_run", objectId: reserved };
    await recordAdminAct(tx, core, act, by);
    return reserved;
  });
  await core.store.publish({ topic: RUNS_RESERVED, payload: syncRunId });
  return syncRunId;
}

/** The run once it has ended; looks every `everyMs`. Throws `not_found`, and the signal's reason. */
export async function endOfRun(
  core: Pick<Core, "store">,
  tenantId: string,
  syncRunId: string,
  { signal, everyMs = 250 }: { signal?: AbortSignal; everyMs?: number } = {},
): Promise<z.output<typeof SyncRun>> {
  for (;;) {
    const run = await core.store.read(tenantId, (tx) => findSyncRun(tx, tenantId, syncRunId));
    if (run === undefined) throw notFound("sync run");
    if (run.status !== "running") return syncRunOnWire(run);
    await sleep(everyMs, undefined, signal === undefined ? {} : { signal });
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { notFound } from "../../src/core/kernel/error.ts";
import { findSyncRun, syncRunOnWire } from "../../src/core/sync-runs/queries.ts";

/** Waits until a run has ended, polling every `everyMs`. Throws `not_found`, and the signal's reason. */
export async function waitForRun(
  core: Pick<Core, "store">,
  tenantId: string,
  syncRunId: string,
  { signal, everyMs = 250 }: { signal?: AbortSignal; everyMs?: number } = {},
): Promise<ReturnType<typeof syncRunOnWire>> {
  for (;;) {
    const run = await core.store.read(tenantId, (tx) => findSyncRun(tx, tenantId, syncRunId));
    if (run === undefined) throw notFound("sync run");
    if (run.status !== "running") return syncRunOnWire(run);
    await sleep(everyMs, undefined, signal === undefined ? {} : { signal });
  }
}

import type { Core } from "../gate/dependencies.ts";
import { inEachTenant } from "../gate/work-step.ts";
import { deleteOldRuns, tenantsWithOldRuns } from "./history-queries.ts";

/** How long runs stay in the history. */
const KEPT_MS = 90 * 24 * 60 * 60_000;
/** Runs of one transaction. */
const AT_ONCE = 1_000;

/**
 * Deletes runs that ended more than 90 days ago, in batches, until `stop` is aborted. Runs that connections or invoices take
 * their figures from stay. Answers how many were deleted.
 */
export async function pruneRuns(core: Core, stop: AbortSignal): Promise<number> {
  const before = new Date(core.clock.now().getTime() - KEPT_MS).toISOString();
  let deleted = 0;
  while (!stop.aborted) {
    const some = await deleteSome(core, before);
    deleted += some.reduce((total, one) => total + one, 0);
    if (some.every((one) => one < AT_ONCE)) break;
  }
  return deleted;
}

const deleteSome = inEachTenant({
  name: "pruneRuns",
  find: ({ tx, shards }, before: string) => tenantsWithOldRuns(tx, shards, before),
  act: ({ tx, tenantId }, before: string) => deleteOldRuns(tx, tenantId, { before, limit: AT_ONCE }),
});

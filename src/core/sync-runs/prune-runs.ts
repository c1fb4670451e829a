import type { Core } from "../gate/dependencies.ts";
import { allTenantsStep } from "../gate/work-step.ts";
import { deleteOldRuns } from "./history-queries.ts";

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
    deleted += some;
    if (some < AT_ONCE) break;
  }
  return deleted;
}

const deleteSome = allTenantsStep(({ tx }, before: string) => deleteOldRuns(tx, { before, limit: AT_ONCE }));

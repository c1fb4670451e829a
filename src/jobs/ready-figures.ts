import { advanceRollup } from "../core/aging/advance-rollups.ts";
import type { Core } from "../core/gate/dependencies.ts";
import type { RunKey } from "../core/sync-runs/claim-queries.ts";
import { ROLLUP_TABLES } from "../store/aging/rollup.ts";
import { BOOK_TABLES } from "../store/statistics.ts";

/** Invoices that a run has brought or changed before it is worth the while to build the roll-up. */
const MUCH = 200;
const MUCH_MORE = 8;

/** Whether a run that goes on has moved so much more than when figures were ready last that they are to be again. */
export const isMuchMore = (moved: number, before: number) => moved >= Math.max(MUCH, MUCH_MORE * before);

/**
 * Once a run has moved much, such as a first one, and before it ends: builds a missing aging roll-up, and has the store take
 * statistics where it has to, so that what is read is quick from then on. Never rejects: a run can do without.
 */
export async function readyFigures(core: Core, run: RunKey & { moved: number }, signal: AbortSignal) {
  const { tenant_id: tenantId, sync_run_id: syncRunId, moved } = run;
  try {
    if (moved === 0) return;
    await core.store.takeStatistics({ tenantId, tables: BOOK_TABLES });
    if (moved >= MUCH) await advanceRollup(core, tenantId, null, signal);
    await core.store.takeStatistics({ tenantId, tables: ROLLUP_TABLES });
  } catch (error) {
    core.log.warn({ tenantId, syncRunId, err: error }, "sync_run.figures.not_ready");
  }
}

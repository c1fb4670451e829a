import { advanceRollup } from "../core/aging/advance-rollups.ts";
import type { Core } from "../core/gate/dependencies.ts";
import type { RunKey } from "../core/sync-runs/claim-queries.ts";
import { ROLLUP_TABLES } from "../store/aging/rollup.ts";

/** Invoices that a run has brought or changed before it is worth the while. */
const MUCH = 1_000;

/**
 * Before a run ends that moved much, such as a first one: builds a missing aging roll-up, and has the store
 * take its statistics, so that what is read is quick from the run's end on. Never rejects: a run can do without.
 */
export async function readyFigures(core: Core, run: RunKey & { moved: number }, signal: AbortSignal) {
  const { tenant_id: tenantId, sync_run_id: syncRunId, moved } = run;
  try {
    if (moved < MUCH) return;
    await core.store.takeStatistics({ tenantId, tables: ["customers", "invoices", "installments"], rows: moved });
    await advanceRollup(core, tenantId, null, signal);
    await core.store.takeStatistics({ tenantId, tables: ROLLUP_TABLES, rows: moved });
  } catch (error) {
    core.log.warn({ tenantId, syncRunId, err: error }, "sync_run.figures.not_ready");
  }
}

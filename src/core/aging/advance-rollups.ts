import { advanceAging } from "../../store/aging/rollup.ts";
import type { Core } from "../gate/dependencies.ts";
import { allTenantsStep, workStep } from "../gate/work-step.ts";
import { businessDate } from "../shared/calendar.ts";
import { timezoneOf } from "../workspace/workspace-queries.ts";
import { rollupDays } from "./rollup-queries.ts";

/**
 * Brings the roll-ups of workspaces where a new day has begun to that day, and builds missing ones, in one transaction each; a
 * failure is logged and the others go on. A report that comes first does the same for its workspace. Answers how many.
 */
export async function advanceRollups(core: Core, stop: AbortSignal): Promise<number> {
  let advanced = 0;
  for (const { tenant_id: tenantId, timezone, as_of } of await readRollupDays(core)) {
    if (stop.aborted) break;
    try {
      const day = businessDate(core.clock.now(), timezone);
      if (day === as_of) continue;
      await advanceRollup(core, tenantId, day);
      advanced += 1;
    } catch (error) {
      core.log.error({ tenantId, err: error }, "aging.not_advanced");
    }
  }
  return advanced;
}

const readRollupDays = allTenantsStep(({ tx }) => rollupDays(tx));

/** The same for one workspace, as at the end of its first pull: to `day`, or its business day of now. */
export const advanceRollup = workStep({
  name: "advanceRollup",
  run: async ({ tx, core, actor: { tenantId } }, day: string | null) =>
    advanceAging(tx, tenantId, day ?? businessDate(core.clock.now(), await timezoneOf(tx, tenantId))),
});

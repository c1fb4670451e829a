import { advanceAging } from "../../store/aging/rollup.ts";
import { holdFigures } from "../collection/collection-queries.ts";
import type { Core } from "../gate/dependencies.ts";
import { workStep } from "../gate/work-step.ts";
import { businessDate } from "../kernel/calendar.ts";
import { timezoneOf } from "../workspace/workspace-queries.ts";
import { rollupDays } from "./rollup-queries.ts";

/** Workspaces at once: one waits for the database while another is worked on. */
const AT_ONCE = 4;

/**
 * Brings the roll-ups of workspaces where a new day has begun to that day, and builds missing ones, in one transaction each; a
 * failure is logged and the others go on. A report that comes first does the same for its workspace. Answers how many.
 */
export async function advanceRollups(core: Core, stop: AbortSignal) {
  const left = (await readRollupDays(core)).values();
  let advanced = 0;
  const advance = async () => {
    for (const { tenant_id: tenantId, timezone, as_of } of left) {
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
  };
  await Promise.all(Array.from({ length: AT_ONCE }, advance));
  return advanced;
}

const readRollupDays = workStep({ in: "all workspaces", run: ({ tx, shards }) => rollupDays(tx, shards) });

/**
 * The same for one workspace, as at the end of its first pull: to `day`, or its business day of now. It waits without a connection for
 * who changes all figures, who holds the roll-up then.
 */
export const advanceRollup = workStep({
  name: "advanceRollup",
  run: async ({ tx, core, actor: { tenantId } }, day: string | null) => {
    await holdFigures(tx, tenantId);
    await advanceAging(tx, tenantId, day ?? businessDate(core.clock.now(), await timezoneOf(tx, tenantId)));
  },
});

import { advanceAging } from "../../store/aging/rollup.ts";
import { committed } from "../gate/committed.ts";
import type { Core } from "../gate/dependencies.ts";
import { businessDate } from "../shared/calendar.ts";
import { timezoneOf } from "../workspace/workspace-queries.ts";
import { rollupDays } from "./rollup-queries.ts";

/**
 * Brings the roll-ups of workspaces where a new day has begun to that day, and builds missing ones, in one transaction each; a
 * failure is logged and the others go on. A report that comes first does the same for its workspace. Answers how many.
 */
export async function advanceRollups(core: Pick<Core, "clock" | "store" | "log">, stop: AbortSignal): Promise<number> {
  let advanced = 0;
  for (const { tenant_id: tenantId, timezone, as_of } of await core.store.system(rollupDays)) {
    if (stop.aborted) break;
    try {
      const day = businessDate(core.clock.now(), timezone);
      if (day === as_of) continue;
      await committed(() => core.store.write(tenantId, (tx) => advanceAging(tx, tenantId, day)));
      advanced += 1;
    } catch (error) {
      core.log.error({ tenantId, err: error }, "aging.not_advanced");
    }
  }
  return advanced;
}

/** The same for one workspace, as at the end of its first pull. */
export function advanceRollup({ clock, store }: Pick<Core, "clock" | "store">, tenantId: string): Promise<void> {
  return store.write(tenantId, async (tx) =>
    advanceAging(tx, tenantId, businessDate(clock.now(), await timezoneOf(tx, tenantId))),
  );
}

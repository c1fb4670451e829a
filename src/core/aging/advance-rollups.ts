import { advanceAging } from "../../store/aging/rollup.ts";
import { committed } from "../gate/committed.ts";
import type { Core } from "../gate/core.ts";
import { businessDate } from "../shared/calendar.ts";
import { timezoneOf } from "../workspace/workspace-queries.ts";
import { rollupDays } from "./rollup-queries.ts";

/**
 * Brings the roll-ups of workspaces where a new day has begun to that day, and builds those that are missing, one
 * transaction each; one that cannot be brought there keeps no other from it. A report that comes first does the same and
 * takes longer for it. Answers how many there were.
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

/** The same for one workspace, as when a pull is about to end that brought its first invoices. */
export function advanceRollup({ clock, store }: Pick<Core, "clock" | "store">, tenantId: string): Promise<void> {
  return store.write(tenantId, async (tx) =>
    advanceAging(tx, tenantId, businessDate(clock.now(), await timezoneOf(tx, tenantId))),
  );
}

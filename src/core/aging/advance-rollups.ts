import { advanceAging } from "../../store/aging-rollup.ts";
import { businessDate } from "../calendar.ts";
import type { Core } from "../core.ts";
import { rollupDays } from "./rollup-queries.ts";

/**
 * Brings the roll-ups of workspaces where a new day has begun to that day, and builds those that are missing, one
 * transaction each. A report that comes first does the same and takes longer for it. Answers how many there were.
 */
export async function advanceRollups(core: Pick<Core, "clock" | "store">, stop: AbortSignal): Promise<number> {
  let advanced = 0;
  for (const { tenant_id: tenantId, timezone, as_of } of await core.store.system(rollupDays)) {
    const day = businessDate(core.clock.now(), timezone);
    if (day === as_of) continue;
    if (stop.aborted) break;
    await core.store.write(tenantId, (tx) => advanceAging(tx, tenantId, day));
    advanced += 1;
  }
  return advanced;
}

import { advanceAging } from "../../store/aging-rollup.ts";
import { businessDate } from "../calendar.ts";
import type { Core } from "../core.ts";
import { rollupDays, timezoneOf } from "./rollup-queries.ts";

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

/** The same for one workspace, as when a pull is about to end that brought its first invoices. */
export function advanceRollup({ clock, store }: Pick<Core, "clock" | "store">, tenantId: string): Promise<void> {
  return store.write(tenantId, async (tx) =>
    advanceAging(tx, tenantId, businessDate(clock.now(), await timezoneOf(tx, tenantId))),
  );
}

import type { Core } from "../../src/core/gate/dependencies.ts";
import { readBacklog } from "../../src/store/backlog.ts";
import { ofTenants } from "../../src/store/shards.ts";
import { everyRow } from "./every-row.ts";

/** For how many seconds the oldest piece of a queue has been wanted, of one workspace. */
export async function secondsWanted(core: Core, tenantId: string, queue: string): Promise<number | undefined> {
  const now = core.clock.now().toISOString();
  const { queues } = await everyRow(core.store, (tx) => readBacklog(tx, ofTenants([tenantId], []), now));
  return queues.find((one) => one.queue === queue)?.oldestSeconds;
}

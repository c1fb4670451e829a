import type { Core } from "../core/core.ts";
import { nowOf } from "../core/core.ts";
import { deleteExpired } from "../store/expiry.ts";

const WINDOWS_KEPT_MS = 60 * 60_000;

/** Removes what nobody can use any more, and gives the store its maintenance. */
export async function housekeep(core: Core): Promise<void> {
  const windowsBefore = new Date(core.clock.now().getTime() - WINDOWS_KEPT_MS).toISOString();
  await core.store.system((tx) => deleteExpired(tx, { now: nowOf(core), windowsBefore }));
  await core.store.maintain();
}

import type { Log } from "../core/gate/dependencies.ts";
import { NOTICES_MISSED, STORE_LOST, type Store } from "../store/store.ts";

/** Logs one line when the store is lost and one when it is back, instead of one per failed call. Returns the unsubscribe. */
export function tellOfOutages(store: Store, log: Log): () => void {
  let lostAt: number | null = null;
  return store.subscribe(({ topic, payload }) => {
    if (topic === STORE_LOST) {
      lostAt ??= performance.now();
      log.error({ reason: payload }, "store.lost");
    }
    if (topic !== NOTICES_MISSED || lostAt === null) return;
    log.warn({ ms: Math.round(performance.now() - lostAt) }, "store.back");
    lostAt = null;
  });
}

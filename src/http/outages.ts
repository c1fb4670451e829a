import type { Log } from "../core/gate/core.ts";
import { NOTICES_MISSED, STORE_LOST, type Store } from "../store/store.ts";

/** Writes one line as the store is lost, and one as it is back; each failed call besides is not worth one. */
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

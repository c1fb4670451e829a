import { setTimeout as sleep } from "node:timers/promises";
import { type RequestHandler, Router } from "express";
import type { Log } from "../core/gate/dependencies.ts";
import { NOTICES_MISSED, STORE_LOST, type Store } from "../store/store.ts";

/** Load balancers commonly give up after five seconds. */
const READY_WITHIN_MS = 3_000;

/** `/healthz` (the process is up) and `/readyz` (the store takes writes, and the service is not about to stop). */
export function healthChecks(isReady: () => Promise<boolean>): RequestHandler {
  const router = Router();
  router.get("/healthz", (_request, response) => {
    response.json({ status: "ok" });
  });
  router.get("/readyz", async (_request, response) => {
    const late = sleep(READY_WITHIN_MS, false, { ref: false });
    const ready = await Promise.race([isReady().catch(() => false), late]);
    response.status(ready ? 200 : 503).json({ status: ready ? "ok" : "unavailable" });
  });
  return router;
}

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

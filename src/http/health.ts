import { setTimeout as sleep } from "node:timers/promises";
import { type RequestHandler, Router } from "express";

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

import { type RequestHandler, Router } from "express";

/** `/healthz` (the process is up) and `/readyz` (the store answers, and the service is not about to stop). */
export function healthChecks(isReady: () => Promise<boolean>): RequestHandler {
  const router = Router();
  router.get("/healthz", (_request, response) => {
    response.json({ status: "ok" });
  });
  router.get("/readyz", async (_request, response) => {
    const ready = await isReady().catch(() => false);
    response.status(ready ? 200 : 503).json({ status: ready ? "ok" : "unavailable" });
  });
  return router;
}

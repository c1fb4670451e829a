import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { RequestHandler } from "express";
import type { Log } from "../core/gate/dependencies.ts";
import { kept } from "../core/kernel/kept.ts";
import { storeRefusals } from "../signals.ts";
import { NOTICES_MISSED, STORE_LOST, type Store } from "../store/store.ts";
import { outageOf } from "../store/unavailable.ts";

/** Load balancers commonly give up after five seconds. */
const READY_WITHIN_MS = 3_000;
/** However often `/readyz` is asked, the store is written to as often at most. */
const WRITTEN_EVERY_MS = 1_000;

/**
 * `/healthz` (the process is up) and `/readyz` (the store takes writes, and the service is not about to stop), under any host:
 * balancers call them by any name or none. Comes before what logs and measures requests.
 */
export function healthChecks(store: Store, isReady: () => boolean): RequestHandler {
  const written = kept(() => store.tryWriting(), WRITTEN_EVERY_MS);
  const isReadyInTime = async (): Promise<boolean> => {
    const late = sleep(READY_WITHIN_MS, false, { ref: false });
    const takesWrites = Promise.all([store.ping(), written()]).then(
      () => true,
      () => false,
    );
    return (await Promise.race([takesWrites, late])) && isReady() && !store.isDeaf;
  };
  return async ({ method, path }, response, next) => {
    if ((path !== "/healthz" && path !== "/readyz") || (method !== "GET" && method !== "HEAD")) return next();
    const isWell = path === "/healthz" || (await isReadyInTime());
    response.status(isWell ? 200 : 503).json({ status: isWell ? "ok" : "unavailable" });
  };
}

/** How often a store that refused work is asked whether it takes writes again. */
const ASK_AGAIN_MS = 2_000;

/**
 * Logs one line when the store is lost, full or read-only, and one when it is back, instead of one per failed call. Work that a busy
 * store refused is told of by metrics only. Returns the unsubscribe.
 */
export function tellOfOutages(store: Store, log: Log): () => void {
  let lost: { at: number; outage: string; isSilent: boolean } | null = null;
  const tell = (outage: string, reason: string, isSilent: boolean): void => {
    if (lost?.outage !== outage) log.error({ outage, reason }, "store.lost");
    lost = { at: lost?.at ?? performance.now(), outage, isSilent };
  };
  const tellBack = (): void => {
    if (lost === null) return;
    log.warn({ ms: Math.round(performance.now() - lost.at) }, "store.back");
    lost = null;
  };
  const ask = (): void => {
    // The connection that was lost says itself when it is back.
    if (lost !== null && !lost.isSilent) store.tryWriting().then(tellBack, () => undefined);
  };
  const ends = [
    store.subscribe(({ topic, payload }) => {
      if (topic === STORE_LOST) tell(outageOf(payload), payload, true);
      if (topic === NOTICES_MISSED) tellBack();
    }),
    storeRefusals.follow({
      store: new AsyncLocalStorage<undefined>(),
      began: () => undefined,
      ended({ outage, reason }) {
        if (outage !== "busy" && outage !== "away") tell(outage, reason, lost?.isSilent ?? false);
      },
    }),
  ];
  const asking = setInterval(ask, ASK_AGAIN_MS).unref();
  return () => {
    clearInterval(asking);
    for (const end of ends) end();
  };
}

import type { Shards } from "../../store/shards.ts";
import type { Core } from "./dependencies.ts";

const EVERY_MS = 60_000;
const toldAt = new WeakMap<object, number>();

/** Says in the log, once a minute, which workers a look at all workspaces went without. */
export function tellWorkersAway({ log, clock }: Pick<Core, "log" | "clock">, { away }: Shards) {
  const now = clock.now().getTime();
  if (away.length === 0 || Math.abs(now - (toldAt.get(log) ?? Number.NEGATIVE_INFINITY)) < EVERY_MS) return;
  toldAt.set(log, now);
  log.warn({ workers: away }, "store.workers_away");
}

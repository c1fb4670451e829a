import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import type { Fleet } from "../test/support/fleet.ts";
import type { Tally } from "./tally.ts";

const HEALTH_P99_MS = 250;
const ABOVE_REST_MIB = 150;

const Seen = z.object({ tookMs: z.array(z.number()), failures: z.int(), aboveRestMiB: z.array(z.number()) });

/** Watches every process from now on; `end` holds what was seen to its limits: `/healthz` p99 250 ms, 150 MiB above rest. */
export function watch(fleet: Fleet, tally: Tally): { end: () => Promise<void> } {
  const processes = Array.from({ length: fleet.size }, (_, place) => fleet.at(place));
  const workerData = {
    urls: processes.map(({ url }) => `${url.replace("localhost", "127.0.0.1")}/healthz`),
    pids: processes.map(({ child }) => child.pid ?? 0),
  };
  const worker = new Worker(new URL("./watcher.ts", import.meta.url), { workerData });
  return {
    async end() {
      const told = once(worker, "message");
      worker.postMessage("end");
      const [message] = await told;
      await worker.terminate();
      const { tookMs, failures, aboveRestMiB } = Seen.parse(message);
      const sorted = tookMs.toSorted((one, other) => one - other);
      const at = (share: number): number => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
      const most = Math.round(Math.max(...aboveRestMiB));
      tally.notes.push(
        `/healthz asked ${sorted.length} times: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (limit ${HEALTH_P99_MS}), longest ${at(1)} ms; memory ${most} MiB above rest (limit ${ABOVE_REST_MIB})`,
      );
      if (failures > 0) tally.breach(`/healthz failed ${failures} times`);
      if (at(0.99) > HEALTH_P99_MS) tally.breach(`/healthz p99 was ${at(0.99)} ms`);
      if (most > ABOVE_REST_MIB) tally.breach(`memory rose by ${most} MiB`);
    },
  };
}

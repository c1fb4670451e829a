/** A thread that asks `/healthz` and looks at the memory of processes, so that what the load costs its own thread is not measured. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";

const PAUSE_MS = 50;
const PATIENCE_MS = 10_000;
const { urls, pids } = z.object({ urls: z.array(z.string()), pids: z.array(z.int()) }).parse(workerData);

const tookMs: number[] = [];
const kibibytes = pids.map(() => ({ rest: 0, most: 0 }));
let failures = 0;
let goesOn = true;
parentPort?.once("message", () => {
  goesOn = false;
});

const memoryOf = (pid: number): number => {
  const found = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(found?.[1] ?? 0);
};

while (goesOn) {
  for (const url of urls) {
    const begun = performance.now();
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
      await answer.body?.cancel();
      if (answer.status !== 200) failures += 1;
    } catch {
      failures += 1;
    }
    tookMs.push(performance.now() - begun);
  }
  kibibytes.forEach((memory, at) => {
    const now = memoryOf(pids[at] ?? 0);
    if (memory.rest === 0) memory.rest = now;
    memory.most = Math.max(memory.most, now);
  });
  await sleep(PAUSE_MS);
}
parentPort?.postMessage({ tookMs, failures, aboveRestMiB: kibibytes.map(({ rest, most }) => (most - rest) / 1_024) });

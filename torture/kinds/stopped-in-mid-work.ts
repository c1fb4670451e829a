import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Kind, onStore } from "../kind.ts";

/** SIGTERM to the only process, on the embedded store, with everything slow enough to be in the middle of something. */
export default {
  name: "stopped-in-mid-work",
  does: "the one process of an embedded store is stopped (SIGTERM) in mid-pull, push, minting and stream, and started again",
  async run(options) {
    const dataDir = mkdtempSync(join(tmpdir(), "receivables-torture-"));
    try {
      return await onStore({ dataDir }, options, {
        size: 1,
        async disturb({ fleet, world, load, random, tally }) {
          for (const { erp, stripe } of world.tenants) {
            erp.control({ latency_ms: 40 });
            stripe.control({ latency_ms: 120 });
          }
          let stops = 0;
          let slowest = 0;
          while (!load.over) {
            await load.further(random.between(20, 200));
            if (load.over) break;
            const { code, ms } = await fleet.stop(0);
            if (code !== 0 || ms > 10_000) tally.count("lost", `a drain ended with ${code} after ${Math.round(ms)} ms`);
            slowest = Math.max(slowest, ms);
            await fleet.start(0);
            stops += 1;
          }
          tally.notes.push(`${stops} stops, the slowest ${(slowest / 1000).toFixed(1)} s`);
        },
      });
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
} satisfies Kind;

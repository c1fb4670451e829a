import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, inject, it } from "vitest";
import { seededRandom } from "../../src/simulators/fusion/random.ts";
import { onStore } from "../../torture/kind.ts";
import type { Ending } from "../support/fleet.ts";
import { createDatabase } from "../support/stores.ts";

/** Whoever held something in an earlier life is believed gone. */
const LEASES_RUN_OUT_MS = 150_000;

describe.skipIf(inject("postgresUrl") === null)("two processes behind a plain balancer", () => {
  it("are one service, though one is killed and the other drained under load [contract.processes] [completions.12.processes]", async () => {
    const { databaseUrl, drop } = await createDatabase();
    let ending: Ending | null = null;
    const options = { requests: 160, random: seededRandom(11) };
    const tally = await onStore({ databaseUrl }, options, {
      size: 2,
      tenants: 2,
      async disturb({ fleet, clock, load, tally: so }) {
        so.expect({ cut: true });
        const after = async (requests: number): Promise<void> => {
          while (so.requests < requests && !load.over) await sleep(10);
        };
        await after(50);
        await fleet.kill(0);
        clock.set(LEASES_RUN_OUT_MS);
        await fleet.start(0);
        const { cut } = so;
        await after(100);
        ending = await fleet.stop(1);
        expect(so.cuts.slice(cut), "cut off by a drain").toEqual([]);
        await fleet.start(1);
      },
    });
    await drop();
    expect(ending).toMatchObject({ code: 0 });
    const { wrong, failed, samples, requests } = tally;
    expect({ wrong, failed, samples }).toEqual({
      wrong: { lost: 0, doubled: 0, crossTenant: 0, unlisted: 0 },
      failed: 0,
      samples: [],
    });
    expect(requests).toBeGreaterThanOrEqual(160);
  }, 300_000);
});

import { setTimeout as sleep } from "node:timers/promises";
import { type Kind, onPostgres } from "../kind.ts";

/** PostgreSQL is stopped or crashes, stays away for a while, and comes back. */
export default {
  name: "postgres-outage",
  does: "PostgreSQL is stopped, or crashes, and is started again on the same data; two processes",
  run: (options) =>
    onPostgres(options, {
      size: 2,
      async disturb({ postgres, load, random, tally }) {
        // A process that may have missed a revocation ends the streams it has open; the calls are made again.
        tally.expect({ failed: true, cut: true });
        let outages = 0;
        while (!load.over) {
          await sleep(random.between(1_500, 5_000));
          if (load.over) break;
          await postgres.halt(random.pick(["fast", "immediate"]));
          await sleep(random.between(0, 3_000));
          await postgres.resume();
          outages += 1;
        }
        tally.notes.push(`${outages} outages`);
      },
    }),
} satisfies Kind;

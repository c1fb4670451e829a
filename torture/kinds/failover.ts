import { setTimeout as sleep } from "node:timers/promises";
import { type Kind, onReplicated } from "../kind.ts";

/** The primary dies, or stands still, and its synchronous standby takes over; both stand in `DATABASE_URL`. */
export default {
  name: "failover",
  does: "the primary is killed, or stands still, its synchronous standby is promoted, and a new standby made; two processes",
  run: (options) =>
    onReplicated(options, {
      size: 2,
      async disturb({ postgres, load, random, tally }) {
        tally.expect({ failed: true, cut: true, refused: true });
        let failovers = 0;
        while (!load.over) {
          await sleep(random.between(2_000, 6_000));
          if (load.over) break;
          await postgres.failOver(random.pick(["kill", "freeze"]));
          failovers += 1;
          await sleep(random.between(0, 4_000));
          await postgres.rebuild();
        }
        tally.notes.push(`${failovers} failovers`);
      },
    }),
} satisfies Kind;

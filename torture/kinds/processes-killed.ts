import { setTimeout as sleep } from "node:timers/promises";
import { type Kind, onPostgres } from "../kind.ts";

/** kill -9 of one process after the other, each started again, while the others serve. */
export default {
  name: "processes-killed",
  does: "three processes, one after the other is killed (SIGKILL) under load and started again",
  run: (options) =>
    onPostgres(options, {
      async disturb({ fleet, load, random, tally }) {
        tally.expect({ cut: true });
        let kills = 0;
        while (!load.over) {
          await load.further(random.between(20, 140));
          if (load.over) break;
          const place = random.between(0, fleet.size - 1);
          await fleet.kill(place);
          kills += 1;
          await sleep(random.between(0, 1_000));
          await fleet.start(place);
        }
        tally.notes.push(`${kills} kills`);
      },
    }),
} satisfies Kind;

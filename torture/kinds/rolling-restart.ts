import { type Kind, onPostgres } from "../kind.ts";

/** SIGTERM, wait, start, the next: no request may fail. */
export default {
  name: "rolling-restart",
  does: "three processes, one after the other is drained (SIGTERM) and started again; no request may fail",
  run: (options) =>
    onPostgres(options, {
      async disturb({ fleet, load, random, tally }) {
        let restarts = 0;
        let slowest = 0;
        for (let place = 0; !load.over; place = (place + 1) % fleet.size) {
          await load.further(random.between(20, 140));
          const { code, ms } = await fleet.stop(place);
          if (code !== 0 || ms > 10_000) tally.count("lost", `a drain ended with ${code} after ${Math.round(ms)} ms`);
          slowest = Math.max(slowest, ms);
          await fleet.start(place);
          restarts += 1;
        }
        tally.notes.push(`${restarts} restarts, the slowest drain ${(slowest / 1000).toFixed(1)} s`);
      },
    }),
} satisfies Kind;

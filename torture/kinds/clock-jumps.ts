import { setTimeout as sleep } from "node:timers/promises";
import { type Kind, onPostgres } from "../kind.ts";

const MINUTE_MS = 60_000;
/** From where it should be; most are beyond one thing or another that runs out. */
const JUMPS_MS = [1, -1, 10, -10, 125, -125, 26 * 60, -26 * 60, 40 * 24 * 60].map((minutes) => minutes * MINUTE_MS);

/** The clocks of two processes jump, forward and back; the database's stays right. */
export default {
  name: "clock-jumps",
  does: "the clock of two processes jumps by minutes, hours and days, forward and back",
  run: (options) =>
    onPostgres(options, {
      size: 2,
      mayRunOut: true,
      async disturb({ clock, load, random, tally }) {
        // A notification that is older than five minutes is refused, and told again; who is just signing in begins anew.
        tally.expect({ refused: true });
        let jumps = 0;
        while (!load.over) {
          await load.further(random.between(20, 150));
          clock.set(random.chance(30) ? 0 : (JUMPS_MS[random.between(0, JUMPS_MS.length - 1)] ?? 0));
          jumps += 1;
        }
        clock.set(0);
        await sleep(100);
        tally.notes.push(`${jumps} jumps`);
      },
    }),
} satisfies Kind;

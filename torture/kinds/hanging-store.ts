import { setTimeout as sleep } from "node:timers/promises";
import { type Kind, onPostgres } from "../kind.ts";

const ANSWER_MS = 10_000;

/** PostgreSQL stands still for a while (SIGSTOP): it takes connections, and answers nobody. */
export default {
  name: "hanging-store",
  does: "PostgreSQL stands still (SIGSTOP) for up to 15 seconds at a time; two processes; every call is answered within 10, refused ones with Retry-After",
  run: (options) =>
    onPostgres(options, {
      size: 2,
      async disturb({ postgres, load, random, tally }) {
        tally.expect({ failed: true, cut: true, refused: true });
        tally.hold({ answerMs: ANSWER_MS });
        let spells = 0;
        while (!load.over) {
          await sleep(random.between(1_500, 6_000));
          if (load.over) break;
          postgres.freeze();
          try {
            await sleep(random.between(500, 15_000));
          } finally {
            postgres.thaw();
          }
          spells += 1;
        }
        tally.notes.push(`${spells} spells`);
      },
    }),
} satisfies Kind;

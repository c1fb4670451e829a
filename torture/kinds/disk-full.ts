import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { mountSmallDisk } from "../../test/support/small-disk.ts";
import { type Kind, onStore } from "../kind.ts";

const SIZE_MB = 400;
/** Less than a segment of the write-ahead log: rows have room, until the log wants its next. */
const LEFT_BYTES = [0, 6 << 20, 15 << 20];

/** The disk of the embedded store runs full, and has room again. */
export default {
  name: "disk-full",
  does: "the disk of the embedded store runs full under load, and has room again",
  async run(options) {
    const disk = mountSmallDisk(SIZE_MB);
    if (disk === null) return { leftOut: "a small disk takes root, to be mounted" };
    process.once("exit", disk.remove);
    try {
      return await onStore({ dataDir: join(disk.folder, "data") }, options, {
        size: 1,
        async disturb({ load, random, tally }) {
          tally.expect({ failed: true });
          let times = 0;
          while (!load.over) {
            await sleep(random.between(1_000, 4_000));
            if (load.over) break;
            disk.fill(LEFT_BYTES[random.between(0, LEFT_BYTES.length - 1)]);
            await sleep(random.between(500, 6_000));
            disk.empty();
            times += 1;
          }
          tally.notes.push(`full ${times} times`);
        },
      });
    } finally {
      process.off("exit", disk.remove);
      disk.remove();
    }
  },
} satisfies Kind;

import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, inject, it } from "vitest";
import { openEmbedded } from "../../src/store/database.ts";
import type { Store } from "../../src/store/store.ts";
import { everyRow } from "../support/every-row.ts";
import { mountSmallDisk } from "../support/small-disk.ts";
import { addTenants } from "../support/stored.ts";

const ROWS = 500;
/** Room for rows, and none for the next 16 MB segment of the write-ahead log, without which PostgreSQL panics. */
const LEFT_BYTES = 14 << 20;

describe("the embedded store on a disk that is full", () => {
  const disk = mountSmallDisk(160);
  afterAll(() => disk?.remove());

  const add = (store: Store) => addTenants(store, ...Array.from({ length: ROWS }, () => ({ name: "x".repeat(1_000) })));
  const count = (store: Store) =>
    everyRow(store, (tx) =>
      tx
        .selectFrom("tenants")
        .select((of) => of.fn.countAll<string>().as("n"))
        .executeTakeFirst(),
    );

  it.skipIf(disk === null)(
    "says so at once, and goes on by itself once there is room, with all it accepted [contract.full-disk]",
    async () => {
      if (disk === null) return;
      const dataDir = join(disk.folder, "data");
      cpSync(inject("embeddedTemplate"), dataDir, { recursive: true });
      const store = await openEmbedded(dataDir);
      disk.fill(LEFT_BYTES);
      let accepted = 0;
      const untilRefused = async (): Promise<void> => {
        for (; accepted < 100; accepted += 1) await add(store);
      };
      await expect(untilRefused()).rejects.toMatchObject({
        cause: { message: expect.stringMatching(/has died: PANIC/) },
      });
      disk.empty();
      await expect
        .poll(() => add(store).then(() => "accepted", String), { timeout: 120_000, interval: 500 })
        .toBe("accepted");
      const wanted = { n: String((accepted + 1) * ROWS) };
      expect(await count(store)).toEqual(wanted);
      await store.close();
      const again = await openEmbedded(dataDir);
      expect(await count(again)).toEqual(wanted);
      await again.close();
    },
    240_000,
  );
});

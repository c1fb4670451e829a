import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import type { Log } from "../../src/core/gate/dependencies.ts";
import { createService } from "../../src/service.ts";
import { openEmbedded } from "../../src/store/database.ts";
import { dumpedRows } from "../../src/store/dump.ts";
import type { Store } from "../../src/store/store.ts";
import { startSummary } from "../../src/summary.ts";
import { copyDemo, DEMO_KEY, everyRow } from "../support/stores.ts";

/** Signing keys are the service's own, made at its first start. */
const rowsOf = (store: Store): Promise<string[]> =>
  everyRow(store, async (tx) => {
    const rows = await Array.fromAsync(dumpedRows(tx));
    return rows.flatMap(({ table, json }) => (table === "signing_keys" ? [] : [`${table} ${json}`])).sort();
  });

it("a demo that the data folder knows nothing of, as after a restore, is left as it is [contract.demo.restored]", async () => {
  const dataDir = await copyDemo();
  try {
    for (const name of readdirSync(dataDir)) if (name.startsWith("demo")) rmSync(join(dataDir, name));
    const restored = await openEmbedded(dataDir);
    const before = await rowsOf(restored);
    await restored.close();
    expect(before.filter((row) => row.startsWith("tenants "))).toHaveLength(3);

    const warnings: string[] = [];
    const log: Log = {
      info: () => undefined,
      warn: (_fields, message) => warnings.push(message),
      error: () => undefined,
    };
    const config = readConfig({ DATA_DIR: dataDir, ENCRYPTION_KEY: DEMO_KEY });
    expect(config.demo).toBe(true);
    for (let starts = 1; starts <= 2; starts += 1) {
      const service = await createService(config, { log });
      try {
        expect(await rowsOf(service.core.store)).toEqual(before);
      } finally {
        await service.close();
      }
      expect(warnings).toHaveLength(starts);
      expect(warnings.at(-1)).toContain("demo.left_unchanged");
    }
    expect(readdirSync(dataDir).filter((name) => name.startsWith("demo"))).toEqual([]);
    expect(startSummary(config)).not.toContain("demo.json");
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

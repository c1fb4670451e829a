import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { beforeEach, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import type { Log } from "../../src/core/gate/dependencies.ts";
import { createService } from "../../src/service.ts";
import { openEmbedded } from "../../src/store/database.ts";
import { dumpedRows } from "../../src/store/dump.ts";
import type { Store } from "../../src/store/store.ts";
import { startSummary } from "../../src/summary.ts";
import { copyDemo, DEMO_KEY, everyRow } from "../support/stores.ts";

/** Signing keys are the service's own; the ports of the demo's ERPs are those of this start, where it has them answer. */
const rowsOf = (store: Store, but = "signing_keys"): Promise<string[]> =>
  everyRow(store, async (tx) => {
    const rows = await Array.fromAsync(dumpedRows(tx));
    return rows
      .flatMap(({ table, json }) => ([but, "signing_keys"].includes(table) ? [] : [`${table} ${json}`]))
      .sort();
  });

/** The rows that a store has which no service has open. */
async function rowsIn(dataDir: string, but?: string): Promise<string[]> {
  const kept = await openEmbedded(dataDir);
  const rows = await rowsOf(kept, but);
  await kept.close();
  return rows;
}

let warnings: string[] = [];
const log: Log = { info: () => undefined, warn: (_fields, event) => warnings.push(event), error: () => undefined };
beforeEach(() => {
  warnings = [];
});

it.each([
  { what: "is whole", told: ["a scene of another version", "the end"], isWhole: true },
  { what: "was begun with another story", told: ["a scene of another version"], isWhole: false },
  { what: "was begun when scenes had no names", told: 12, isWhole: false },
])(
  "a demo of another version that $what is left unchanged, and its ERPs answer [contract.demo.version]",
  { timeout: 600_000 },
  async (demo) => {
    const dataDir = await copyDemo();
    try {
      const [state, credentials] = [join(dataDir, "demo-erp.json"), join(dataDir, "demo.json")];
      writeFileSync(state, JSON.stringify({ ...JSON.parse(readFileSync(state, "utf8")), told: demo.told }));
      if (!demo.isWhole) rmSync(credentials);
      const before = await rowsIn(dataDir, "erp_connections");
      const service = await createService(readConfig({ DATA_DIR: dataDir, ENCRYPTION_KEY: DEMO_KEY }), { log });
      try {
        expect(warnings.filter((event) => event.startsWith("demo."))).toEqual(
          demo.isWhole ? [] : ["demo.left_unchanged"],
        );
        expect(await rowsOf(service.core.store, "erp_connections")).toEqual(before);
        expect(existsSync(credentials)).toBe(demo.isWhole);
        const { rows } = await everyRow(service.core.store, (tx) =>
          sql<{ url: string }>`select base_url as url from erp_connections`.execute(tx),
        );
        expect(rows).toHaveLength(7);
        for (const { url } of rows) expect((await fetch(url)).status).toBeGreaterThan(399);
      } finally {
        await service.close();
      }
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
);

it("a demo that the data folder knows nothing of, as after a restore, is left as it is [contract.demo.restored]", async () => {
  const dataDir = await copyDemo();
  try {
    for (const name of readdirSync(dataDir)) if (name.startsWith("demo")) rmSync(join(dataDir, name));
    const before = await rowsIn(dataDir);
    expect(before.filter((row) => row.startsWith("tenants "))).toHaveLength(3);

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

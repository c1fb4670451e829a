import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import type { Log } from "../../src/core/gate/dependencies.ts";
import { createService } from "../../src/service.ts";
import { openEmbedded } from "../../src/store/database.ts";
import { dumpedRows } from "../../src/store/dump.ts";
import type { Store } from "../../src/store/store.ts";
import { copyDemo, DEMO_KEY, everyRow } from "../support/stores.ts";

/** The ports of the demo's ERPs are those of this start, and signing keys are the service's own. */
const OTHERS = ["erp_connections", "signing_keys"];
const rowsOf = (store: Store): Promise<string[]> =>
  everyRow(store, async (tx) => {
    const rows = await Array.fromAsync(dumpedRows(tx));
    return rows.flatMap(({ table, json }) => (OTHERS.includes(table) ? [] : [`${table} ${json}`])).sort();
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
      const kept = await openEmbedded(dataDir);
      const before = await rowsOf(kept);
      await kept.close();
      const warnings: string[] = [];
      const log: Log = {
        info: () => undefined,
        warn: (_fields, event) => warnings.push(event),
        error: () => undefined,
      };
      const service = await createService(readConfig({ DATA_DIR: dataDir, ENCRYPTION_KEY: DEMO_KEY }), { log });
      try {
        expect(warnings.filter((event) => event.startsWith("demo."))).toEqual(
          demo.isWhole ? [] : ["demo.left_unchanged"],
        );
        expect(await rowsOf(service.core.store)).toEqual(before);
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

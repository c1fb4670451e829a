import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { outageLog } from "../../src/core/gate/bounded-log.ts";
import { openPostgres } from "../../src/store/database.ts";
import type { Store } from "../../src/store/store.ts";
import { HAS_POOLER, type Pooler, startPooler } from "../support/poolers.ts";
import { spawnServer } from "../support/server.ts";
import { addTenants } from "../support/stored.ts";
import { createDatabase } from "../support/stores.ts";

const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64");

/** More than the connections of both pools. */
const AT_ONCE = 50;

describe.skipIf(inject("postgresUrl") === null || !HAS_POOLER)("a pooler in transaction mode", () => {
  let direct: Awaited<ReturnType<typeof createDatabase>>;
  let name: string;
  const poolers: Pooler[] = [];
  const stores: Store[] = [];

  const through = async (settings: Readonly<Record<string, string>> = {}): Promise<string> => {
    const pooler = await startPooler(direct.databaseUrl, settings);
    poolers.push(pooler);
    return pooler.urlOf(name);
  };
  const opened = async (databaseUrl: string, directUrl: string | null): Promise<Store> => {
    const store = await openPostgres(databaseUrl, { directUrl });
    stores.push(store);
    return store;
  };

  beforeAll(async () => {
    direct = await createDatabase();
    name = new URL(direct.databaseUrl).pathname.slice(1);
  });
  afterAll(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await Promise.all(poolers.map((pooler) => pooler.stop()));
    await direct.drop();
  });

  it.each([
    ["that takes no start-up options", {}],
    ["that drops start-up options without a word", { ignore_startup_parameters: "options" }],
    [
      "that sets a role itself, once a session",
      { ignore_startup_parameters: "options", connect_query: "set role receivables_tenant" },
    ],
    ["that lends a connection to one session", { ignore_startup_parameters: "options", pool_mode: "session" }],
  ])("%s is found at the start, which ends with one line [contract.database.pooler]", async (_what, settings) => {
    const folder = mkdtempSync(join(tmpdir(), "receivables-pooled-"));
    const environment = { DATABASE_URL: await through(settings), ENCRYPTION_KEY, DATA_DIR: folder };
    const run = spawnServer({ ...environment, PORT: "0", DEMO: "off", LOG_LEVEL: "silent" });
    try {
      expect(await run.exited).toBe(1);
      const lines = run.stderr().trim().split("\n");
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(/^DATABASE_URL: .* pooler.*: set DATABASE_DIRECT_URL/);
    } finally {
      run.child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("is worked behind with a way past it: role and tenant stand in each transaction, however many share a session [contract.database.pooler]", async () => {
    const store = await opened(await through({ default_pool_size: "2" }), direct.databaseUrl);
    const other = await opened(await through({ default_pool_size: "2" }), direct.databaseUrl);
    const tenants = await addTenants(store, {}, {}, {});
    const ask = (first: number) =>
      Array.from({ length: AT_ONCE }, async (_, each) => {
        const turn = first + each;
        const tenantId = tenants[turn % tenants.length] ?? "";
        const chosen = turn % 2 === 0 ? store : other;
        const rows = await chosen.read(tenantId, async (tx) => {
          // Past the first two walls: what the third lets through.
          const found = await sql<{ tenant: string }>`select tenant_id as tenant from tenants`.execute(tx);
          const { rows: settings } = await sql<{ role: string; tenant: string; zone: string }>`
            select current_user as role, current_setting('app.tenant_id') as tenant, current_setting('timezone') as zone
            where ${turn}::int >= 0`.execute(tx);
          return [found.rows, settings] as const;
        });
        const all = await chosen.statement((tx) =>
          sql<{ role: string }>`select current_user as role where ${turn}::int >= 0`.execute(tx),
        );
        return { tenantId, rows, all: all.rows };
      });
    const seen: Awaited<ReturnType<typeof ask>[number]>[] = [];
    // In turns: on a busy machine the last of 300 would wait for a connection for longer than a call may.
    for (let first = 0; first < 300; first += AT_ONCE) seen.push(...(await Promise.all(ask(first))));
    for (const { tenantId, rows, all } of seen) {
      expect(rows).toEqual([[{ tenant: tenantId }], [{ role: "receivables_tenant", tenant: tenantId, zone: "UTC" }]]);
      expect(all).toEqual([{ role: "receivables_system" }]);
    }
    await store.ping();
    const heard: string[] = [];
    other.subscribe(({ topic }) => void heard.push(topic));
    await store.publish({ topic: "word", payload: "" });
    await expect.poll(() => heard).toEqual(["word"]);
  });

  it.each(["statement_timeout=3000", "options=-c%20search_path%3Dpublic"])(
    "that refuses a start-up parameter (%s) is told of as that [contract.database.pooler]",
    async (parameter) => {
      await expect(openPostgres(`${await through()}?${parameter}`, { directUrl: direct.databaseUrl })).rejects.toThrow(
        /^DATABASE_URL: the pooler at \S+ refuses the start-up parameter (statement_timeout|options|search_path): .*ignore_startup_parameters$/,
      );
    },
  );

  it("that has no server connection to lend is told of in words, at the start and afterwards [contract.database.pooler]", async () => {
    const pooled = await through({ default_pool_size: "1", query_wait_timeout: "1" });
    const store = await opened(pooled, direct.databaseUrl);
    const holder = new pg.Client({ connectionString: pooled });
    await holder.connect();
    await holder.query("begin");
    const words = /the pooler had no free server connection: its pool \(default_pool_size in pgbouncer\) is too small$/;
    try {
      const refused: unknown = await store.ping().catch((error: unknown) => error);
      const told: string[] = [];
      const tell = (fields: object): void => void told.push(String(Object(fields).reason));
      outageLog({ info: tell, warn: tell, error: tell }).error({ err: refused }, "it failed");
      expect(told).toEqual([expect.stringMatching(words)]);
      await expect(openPostgres(pooled, { directUrl: direct.databaseUrl })).rejects.toThrow(
        new RegExp(`^DATABASE_URL: ${words.source}`),
      );
    } finally {
      await holder.end();
    }
  });

  it("has its way past it looked at: one that leads through a pooler as well, or elsewhere, is refused [contract.database.pooler]", async () => {
    const pooled = await through({ ignore_startup_parameters: "options" });
    await expect(openPostgres(pooled, { directUrl: pooled })).rejects.toThrow(/DATABASE_DIRECT_URL/);
    const elsewhere = await createDatabase();
    try {
      await expect(openPostgres(pooled, { directUrl: elsewhere.databaseUrl })).rejects.toThrow(/DATABASE_DIRECT_URL/);
    } finally {
      await sleep(100);
      await elsewhere.drop();
    }
  });
});

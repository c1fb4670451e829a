import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openPostgres } from "../../src/store/database.ts";
import { type ReplicatedPostgres, startReplicated } from "../support/replicated-postgres.ts";
import { startServer } from "../support/server.ts";

describe.skipIf(inject("postgresUrl") === null)("a server with a standby", () => {
  const folder = mkdtempSync(join(tmpdir(), "receivables-durability-"));
  let postgres: ReplicatedPostgres;

  const set = async (...settings: string[]): Promise<void> => {
    const client = new pg.Client({ connectionString: postgres.urlAt(postgres.primary) });
    await client.connect();
    for (const setting of settings) await client.query(`alter system ${setting}`);
    await client.query("select pg_reload_conf()");
    await client.end();
  };
  const warned = async (parameters = ""): Promise<string[]> => {
    const store = await openPostgres(`${postgres.urlOf("postgres")}${parameters}`);
    try {
      return await store.warnings();
    } finally {
      await store.close();
    }
  };

  beforeAll(async () => {
    const started = await startReplicated();
    if (started === null) throw new Error("there is no PostgreSQL");
    postgres = started;
  }, 120_000);

  afterAll(() => {
    postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("is warned of where commits do not wait for it, and where they wait for nothing [contract.database.durable]", {
    timeout: 60_000,
  }, async () => {
    expect(await warned()).toEqual([]);
    const off = await warned("&options=-c%20synchronous_commit%3Doff");
    expect(off).toEqual([expect.stringMatching(/^the database has synchronous_commit off: a crash loses/)]);
    await set("set synchronous_commit = 'local'");
    await expect.poll(() => warned()).toEqual([expect.stringMatching(/synchronous_commit local: a failover loses/)]);
    await set("reset synchronous_commit", "reset synchronous_standby_names");
    await expect
      .poll(() => warned())
      .toEqual([expect.stringMatching(/has standbys \(1\), and none is synchronous: a failover loses/)]);
  });

  it("is warned of in the log of a start [contract.database.durable]", { timeout: 60_000 }, async () => {
    const start = async (): Promise<string> => {
      const DATABASE_URL = postgres.urlOf("postgres");
      const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64");
      const server = await startServer(folder, { DATABASE_URL, ENCRYPTION_KEY, DEMO: "off", LOG_LEVEL: "warn" });
      await server.stop();
      return server.stderr();
    };
    await set("reset synchronous_standby_names");
    expect(await start()).toMatch(/"level":40,[^\n]*none is synchronous/);
    await set("set synchronous_standby_names = '*'");
    expect(await start()).not.toContain("synchronous");
  });
});

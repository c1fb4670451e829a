import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CompiledQuery } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openPostgres } from "../../src/store/database.ts";
import { namedWhereRepeated } from "../../src/store/driver/statements.ts";
import { EmbeddedProgram } from "../../src/store/embedded/embedded.ts";
import { embeddedConnections } from "../../src/store/server/connections.ts";
import { DATABASE_ROLES } from "../../src/store/tenancy/roles.ts";
import { type ReplicatedPostgres, startReplicated } from "../support/replicated-postgres.ts";
import { startServer } from "../support/server.ts";
import { copyEmbedded } from "../support/stores.ts";

describe("a connection to the embedded store", async () => {
  const dataDir = copyEmbedded();
  const program = await EmbeddedProgram.open(dataDir);
  const pool = embeddedConnections(program, DATABASE_ROLES.tenant);
  afterAll(async () => {
    await pool.end();
    await program.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const only = async (client: pg.PoolClient, text: string): Promise<unknown> => {
    const { rows } = await client.query<Record<string, unknown>>(text);
    return rows[0] === undefined ? undefined : Object.values(rows[0])[0];
  };

  it("that is given up leaves nothing to the next one [isolation.transactions]", async () => {
    const first = await pool.connect();
    await first.query({ name: "known", text: "select 1" });
    await first.query("begin; set local app.tenant_id = 'somebody'; set role postgres");
    first.release(true);
    const second = await pool.connect();
    expect(second).not.toBe(first);
    expect(await only(second, "select current_user::text")).toBe(DATABASE_ROLES.tenant);
    expect(await only(second, "select current_setting('app.tenant_id', true)")).toBeOneOf(["", null]);
    expect(await only(second, "select now() = statement_timestamp()")).toBe(true);
    expect(await only(second, "select count(*)::int from pg_prepared_statements")).toBe(0);
    second.release();
  });

  it("answers what is asked at once in the order it was asked, an error in its place", async () => {
    const client = await pool.connect();
    const answers = await Promise.allSettled([
      only(client, "select 1"),
      only(client, "select 1 / 0"),
      only(client, "select repeat('x', 3000000)"),
      only(client, "select 4"),
    ]);
    expect(answers.map((answer) => (answer.status === "fulfilled" ? String(answer.value).length : "error"))).toEqual([
      1,
      "error",
      3_000_000,
      1,
    ]);
    client.release();
  });
});

describe("statements that come again", () => {
  const statement = (text: string) => CompiledQuery.raw(text, [1]);
  const naming = namedWhereRepeated();

  it("are named from the second time on, each by a name of its own", () => {
    expect(naming(statement("select $1::int"))).toBeUndefined();
    const named = naming(statement("select $1::int"));
    expect(named).toBeDefined();
    expect(naming(statement("select $1::int"))).toBe(named);
    naming(statement("select $1::text"));
    expect(naming(statement("select $1::text"))).not.toBe(named);
  });

  it("are not where they are long, ask for nothing, or are too many", () => {
    const twice = (one: CompiledQuery): string | undefined => naming(one) ?? naming(one);
    expect(twice(CompiledQuery.raw("commit"))).toBeUndefined();
    expect(twice(statement(`insert into t values ${"($1), ".repeat(1_000)}`))).toBeUndefined();
    const another = namedWhereRepeated();
    const statements = Array.from({ length: 1_000 }, (_, index) => statement(`select $1, ${index}`));
    const names = statements.map((one) => another(one) ?? another(one));
    expect(names.filter((one) => one !== undefined)).toHaveLength(500);
  });
});

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

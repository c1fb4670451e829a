import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openPostgres } from "../../src/store/database.ts";
import { DatabaseServer } from "../../src/store/server/database-server.ts";
import { NOTICES_MISSED, type Store } from "../../src/store/store.ts";
import { everyRow } from "../support/every-row.ts";
import { type ReplicatedPostgres, startReplicated } from "../support/replicated-postgres.ts";
import { type ServerProcess, startServer } from "../support/server.ts";
import { addTenants } from "../support/stored.ts";

const BACK_MS = 30_000;

describe.skipIf(inject("postgresUrl") === null)("a primary and its standby", () => {
  const folder = mkdtempSync(join(tmpdir(), "receivables-failover-"));
  let postgres: ReplicatedPostgres;
  let store: Store;
  let server: ServerProcess | undefined;

  const addTenant = (name: string) => addTenants(store, { name });
  const names = async (): Promise<string[]> => {
    const rows = await everyRow(store, (tx) => tx.selectFrom("tenants").select("name").orderBy("name").execute());
    return rows.map(({ name }) => name);
  };
  const portOf = async (): Promise<number> => {
    const { rows } = await everyRow(store, (tx) =>
      sql<{ port: string }>`select current_setting('port') as port`.execute(tx),
    );
    return Number(rows[0]?.port);
  };
  const primaryPort = (): number => Number(new URL(postgres.urlAt(postgres.primary)).port);
  const ready = async (): Promise<number> => (await fetch(`${server?.url}/readyz`)).status;

  beforeAll(async () => {
    const started = await startReplicated();
    if (started === null) throw new Error("there is no PostgreSQL");
    postgres = started;
    store = await openPostgres(postgres.urlOf("postgres"));
  }, 120_000);

  afterAll(async () => {
    await server?.stop();
    await store.close();
    postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(["kill", "freeze"] as const)(
    "is written to where it takes writes, before and after a failover (%s), and hears of notices there [contract.database.hosts]",
    { timeout: 180_000 },
    async (how) => {
      await addTenant(`before ${how}`);
      expect(await portOf()).toBe(primaryPort());
      const heard: string[] = [];
      const stop = store.subscribe(({ topic }) => void heard.push(topic));
      await postgres.failOver(how);
      await expect
        .poll(
          () =>
            addTenant(`after ${how}`).then(
              () => "written",
              () => "refused",
            ),
          { timeout: BACK_MS, interval: 500 },
        )
        .toBe("written");
      expect(await portOf()).toBe(primaryPort());
      expect(await names()).toEqual(expect.arrayContaining([`before ${how}`, `after ${how}`]));
      await expect.poll(() => heard, { timeout: BACK_MS }).toContain(NOTICES_MISSED);
      heard.length = 0;
      await store.publish({ topic: "word", payload: "" });
      await expect.poll(() => heard).toContain("word");
      stop();
      await postgres.rebuild();
    },
  );

  it("is found once it is promoted, while the old primary is silent and has not been given up yet [contract.database.hosts]", {
    timeout: 60_000,
  }, async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const address = silent.address();
    const silentPort = typeof address === "object" ? address?.port : undefined;
    const standby = new URL(postgres.urlAt(1 - postgres.primary)).host;
    const hosts = `127.0.0.1:${silentPort},${standby}`;
    const found = DatabaseServer.at(`postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`).host();
    await Promise.all([
      expect(found).resolves.toMatchObject({ port: Number(standby.split(":")[1]) }),
      postgres.failOver("freeze"),
    ]);
    silent.close();
    await postgres.rebuild();
  });

  it("is found at the start, whichever host comes first; a server that takes no writes alone is none to start on [contract.database.hosts]", {
    timeout: 60_000,
  }, async () => {
    const standby = postgres.urlAt(1 - postgres.primary);
    await expect(openPostgres(standby)).rejects.toThrow(/^DATABASE_URL: the server takes no writes/);
    const { host } = new URL(postgres.urlAt(postgres.primary));
    const { host: other } = new URL(standby);
    for (const hosts of [`${host},${other}`, `${other},${host}`]) {
      const opened = await openPostgres(`postgres://postgres@${hosts}/postgres`);
      await opened.ping();
      await opened.close();
    }
  });

  it("makes /readyz say 503 where it takes no writes, or the role is another [contract.outage.writable]", {
    timeout: 120_000,
  }, async () => {
    const DATABASE_URL = postgres.urlAt(postgres.primary);
    const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64");
    server = await startServer(folder, { DATABASE_URL, ENCRYPTION_KEY, DEMO: "off", LOG_LEVEL: "warn" });
    expect(await ready()).toBe(200);
    const owner = new pg.Client({ connectionString: DATABASE_URL });
    await owner.connect();
    try {
      await owner.query("alter system set default_transaction_read_only = on");
      await owner.query("select pg_reload_conf()");
      await expect.poll(ready, { timeout: BACK_MS }).toBe(503);
      // A write that is refused tells it, and on a busy machine /readyz may have been late for another reason.
      const lost = async () => {
        await ready();
        return server?.stderr().match(/"reason":"the server takes no writes[^}]*"store\.lost"/g) ?? [];
      };
      await expect.poll(lost, { timeout: BACK_MS }).toHaveLength(1);
      await owner.query("set default_transaction_read_only = off");
      await owner.query("alter system reset default_transaction_read_only");
      await owner.query("select pg_reload_conf()");
      await expect.poll(ready, { timeout: BACK_MS }).toBe(200);
      await owner.query("alter role receivables_system rename to receivables_system_gone");
      await expect.poll(ready, { timeout: BACK_MS }).toBe(503);
      await owner.query("alter role receivables_system_gone rename to receivables_system");
      await expect.poll(ready, { timeout: BACK_MS }).toBe(200);
    } finally {
      await owner.end();
    }
  });
});

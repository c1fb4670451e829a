import { chownSync, cpSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from "vitest";
import type { Log } from "../../src/core/gate/dependencies.ts";
import { asServiceError } from "../../src/core/kernel/error.ts";
import type { Store } from "../../src/store/store.ts";
import { openBook } from "../support/book.ts";
import { TEMPLATE_DATABASE } from "../support/global-setup.ts";
import { newKey, send } from "../support/rest-app.ts";
import { freePort } from "../support/server.ts";
import { type RunningService, startService } from "../support/service.ts";
import { mountSmallDisk } from "../support/small-disk.ts";
import { addTenants } from "../support/stored.ts";
import { copyEmbedded } from "../support/stores.ts";

const WAIT = { timeout: 60_000, interval: 200 };

/** Rows that need room, however much is left in pages. */
const addMuch = (store: Store) =>
  addTenants(store, ...Array.from({ length: 500 }, () => ({ name: "x".repeat(1_000) })));

/** A service, what it logged about its store, and how it is asked. */
async function watched(kind: "embedded" | "postgres", where: { databaseUrl?: string; dataDir?: string }) {
  const told: string[] = [];
  const note = (fields: object, message: string): void => {
    if (message.startsWith("store.")) told.push([message, Reflect.get(fields, "outage")].filter(Boolean).join(" "));
  };
  const log: Log = { info: () => undefined, warn: note, error: note };
  const metricsPort = await freePort();
  const { databaseUrl, dataDir } = where;
  const service = await startService(kind, {
    log,
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    environment: { METRICS_PORT: String(metricsPort), ...(dataDir === undefined ? {} : { DATA_DIR: dataDir }) },
  });
  const { tenantId } = await openBook(service.core.store);
  const key = await newKey(service.core, tenantId);
  return {
    service,
    told,
    ready: async () => (await send(`${service.via}/readyz`)).status,
    me: () => send(`${service.url}/v1/me`, { key }),
    metrics: async () => (await send(`http://127.0.0.1:${metricsPort}/metrics`)).text,
  };
}

type Watched = Awaited<ReturnType<typeof watched>>;

/** Waits until the outage shows everywhere: on /readyz, in the log and in the metrics. */
async function expectOutage({ ready, told, metrics }: Watched, outage: string): Promise<void> {
  await vi.waitUntil(async () => (await ready()) === 503, WAIT);
  await vi.waitUntil(() => told.includes(`store.lost ${outage}`), WAIT);
  const shown = await metrics();
  expect(shown).toMatch(new RegExp(`^receivables_store_refusals_total\\{.*outage="${outage}".*\\} [1-9]`, "m"));
  expect(shown).toMatch(/^receivables_store_writable(\{.*\})? 0$/m);
}

async function expectEnd({ ready, told, metrics }: Watched): Promise<void> {
  await vi.waitUntil(async () => (await ready()) === 200, WAIT);
  await vi.waitUntil(() => told.at(-1) === "store.back", WAIT);
  await vi.waitUntil(async () => /^receivables_store_writable(\{.*\})? 1$/m.test(await metrics()), WAIT);
  // Told of once each.
  expect(told).toHaveLength(2);
}

const refusalOf = async (work: Promise<unknown>): Promise<unknown> => {
  const error = asServiceError(
    await work.then(
      () => "nothing was refused",
      (failure: unknown) => failure,
    ),
  );
  return { message: error.message, retryAfterSeconds: error.retryAfterSeconds };
};

const FULL = {
  message: "The database's disk is full: nothing can be stored until an operator has made room. Try again later.",
  retryAfterSeconds: 5,
};

describe("an outage of the embedded store", () => {
  const disk = mountSmallDisk(160);
  afterAll(() => disk?.remove());

  it.skipIf(disk === null)(
    "by a full disk is told as such, and of nothing else [contract.outage.kinds]",
    async () => {
      const dataDir = join(disk?.folder ?? "", "data");
      cpSync(inject("embeddedTemplate"), dataDir, { recursive: true });
      const world = await watched("embedded", { dataDir });
      onTestFinished(() => world.service.close());
      disk?.fill();
      expect(await refusalOf(addMuch(world.service.core.store))).toEqual(FULL);
      await expectOutage(world, "full");
      disk?.empty();
      await expectEnd(world);
      await addMuch(world.service.core.store);
    },
    240_000,
  );

  it("by a folder that is gone takes nothing that nobody would find again [contract.outage.kinds]", async () => {
    const dataDir = copyEmbedded();
    const world = await watched("embedded", { dataDir });
    onTestFinished(() => world.service.close());
    renameSync(join(dataDir, "store"), join(dataDir, "elsewhere"));
    await expectOutage(world, "files");
    expect(await refusalOf(addMuch(world.service.core.store))).toEqual({
      message: "The database cannot reach its own files until an operator has mended that. Try again later.",
      retryAfterSeconds: 5,
    });
    const { status, headers, body } = await world.me();
    expect([status, headers.get("retry-after")]).toEqual([500, "5"]);
    expect(body).toMatchObject({
      error: { code: "internal_error", message: expect.stringContaining("its own files") },
    });
    renameSync(join(dataDir, "elsewhere"), join(dataDir, "store"));
    await expectEnd(world);
  }, 120_000);
});

describe.skipIf(inject("superuserUrl") === null)("an outage of PostgreSQL", () => {
  const url = inject("superuserUrl") ?? "";
  const admin = new pg.Client({ connectionString: `${url}postgres` });
  const disk = mountSmallDisk(160);
  const name = `${inject("databasePrefix")}outages`;
  const user = `${name}_user`;
  let world: Watched;
  let service: RunningService | undefined;

  const begin = async (more = ""): Promise<void> => {
    await admin.query(`create role ${user} login createrole`);
    await admin.query(`grant receivables_tenant, receivables_system to ${user}`);
    await admin.query(`create database ${name} template ${TEMPLATE_DATABASE} owner ${user} ${more}`);
    const inside = new pg.Client({ connectionString: `${url}${name}` });
    await inside.connect();
    await inside.query(`grant select on all tables in schema public to ${user}`);
    await inside.end();
    world = await watched("postgres", { databaseUrl: `${url.replace("postgres@", `${user}@`)}${name}` });
    ({ service } = world);
  };
  const end = async (): Promise<void> => {
    await service?.close();
    service = undefined;
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.query(`drop role if exists ${user}`);
  };
  /** As after a restart of the server: what is set for new sessions holds from now on. */
  const endSessions = () =>
    admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  beforeAll(() => admin.connect());
  afterAll(async () => {
    await admin.end();
    disk?.remove();
  });

  it.skipIf(disk === null)(
    "by a full disk is told as such, and of nothing else [contract.outage.kinds]",
    async () => {
      const folder = join(disk?.folder ?? "", "tablespace");
      mkdirSync(folder);
      if (process.getuid?.() === 0) chownSync(folder, 65534, 65534);
      await admin.query(`create tablespace ${name} location '${folder}'`);
      onTestFinished(async () => {
        disk?.empty();
        await end();
        await admin.query(`drop tablespace ${name}`);
      });
      await begin(`tablespace ${name}`);
      disk?.fill();
      expect(await refusalOf(addMuch(world.service.core.store))).toEqual(FULL);
      await expectOutage(world, "full");
      // Every call is counted, and so written.
      expect((await world.me()).text).toContain("disk is full");
      disk?.empty();
      await expectEnd(world);
      await addMuch(world.service.core.store);
    },
    240_000,
  );

  it.each([
    [
      "read_only",
      `alter database ${name} set default_transaction_read_only = on`,
      `alter database ${name} reset default_transaction_read_only`,
      "The database takes no writes just now. Try again.",
    ],
    [
      "connections",
      `alter role ${user} connection limit 0`,
      `alter role ${user} connection limit -1`,
      "The database has no connection free just now. Try again.",
    ],
  ])(
    "of the kind %s is told as such [contract.outage.kinds]",
    async (outage, breaking, mending, message) => {
      onTestFinished(end);
      await begin();
      await admin.query(breaking);
      await endSessions();
      await vi.waitUntil(async () => (await world.me()).text.includes(message), WAIT);
      const { status, headers } = await world.me();
      expect([status, headers.get("retry-after")]).toEqual([500, "5"]);
      await vi.waitUntil(async () => (await world.ready()) === 503, WAIT);
      expect(await world.metrics()).toMatch(
        new RegExp(`^receivables_store_refusals_total\\{.*outage="${outage}".*\\} [1-9]`, "m"),
      );
      await vi.waitUntil(() => world.told.includes(`store.lost ${outage}`), WAIT);
      await admin.query(mending);
      await endSessions();
      await vi.waitUntil(async () => (await world.ready()) === 200, WAIT);
      await vi.waitUntil(() => world.told.at(-1) === "store.back", WAIT);
    },
    180_000,
  );
});

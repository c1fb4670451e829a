import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CitusCluster, hasCitus, startCitus } from "../../cluster/citus.ts";
import { CitusPlacement } from "../../cluster/citus-placement.ts";
import { summarizeAging } from "../../src/core/aging/operations/summarize-aging.ts";
import { verifyRollup } from "../../src/core/aging/verify-rollup.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { createLocalInvoice } from "../../src/core/invoices/operations/create-local-invoice.ts";
import { listWorkspaces } from "../../src/core/workspace/workspaces.ts";
import { openPostgres } from "../../src/store/database.ts";
import type { Store } from "../../src/store/store.ts";
import { isStoreUnavailable, StoreUnavailable } from "../../src/store/unavailable.ts";
import { type Book, openBook } from "../support/book.ts";
import { testCore } from "../support/core.ts";
import { call } from "../support/lists.ts";
import { findBinaries } from "../support/postgres.ts";
import { newKey, openRestApp, type RestApp, send } from "../support/rest-app.ts";
import { rowsOf } from "../support/stored.ts";
import { IS_THOROUGH } from "../support/thorough.ts";

const DATABASE = "app";
const INVOICE = {
  customerName: "Globex",
  currency: "USD",
  amount: "90",
  installments: [{ dueDate: "2026-02-01", amount: "90" }],
};
/** The script of docs/scale.md. */
const MOVE = readFileSync("docs/scale.md", "utf8").match(/^\\set ON_ERROR_STOP[^`]*/m)?.[0] ?? "";
/** Of a machine that has other things to do: each table is copied and indexed, twice. */
const MOVE_MS = 180_000;

describe.skipIf(!hasCitus())("tenants on workers", () => {
  let cluster: CitusCluster;
  let url: string;
  let coordinator: pg.Client;
  let placement: CitusPlacement;
  let store: Store;
  let core: Core;
  let rest: RestApp;
  /** A workspace on each worker. */
  const books: Book[] = [];

  beforeAll(async () => {
    const started = await startCitus();
    if (started === null) throw new Error("no cluster");
    cluster = started;
    url = await cluster.createDatabase(DATABASE);
    store = await openPostgres(url);
    core = testCore(store);
    rest = await openRestApp(core, { limited: false });
    coordinator = new pg.Client({ connectionString: url });
    await coordinator.connect();
    placement = await CitusPlacement.of(cluster, url);
    for (let worker = 0; worker < cluster.workers.length; worker += 1) books.push(await bookOn(worker));
  });
  afterAll(async () => {
    await rest?.close();
    await coordinator?.end();
    await placement?.close();
    await store?.close();
    cluster?.stop();
  });

  /** Runs a script as docs/scale.md has an operator do it. */
  async function psql(script: string, variables: Record<string, string>): Promise<void> {
    const bin = findBinaries();
    if (bin === null) throw new Error("no psql");
    const named = Object.entries(variables).flatMap(([name, value]) => ["-v", `${name}=${value}`]);
    const child = spawn(join(bin, "psql"), [url, ...named, "-f", "-"], {
      stdio: ["pipe", "ignore", "inherit"],
    });
    child.stdin.end(script);
    const [status] = await once(child, "exit");
    expect(status).toBe(0);
  }

  async function bookOn(worker: number): Promise<Book> {
    return openBook(store, { tenant_id: await placement.idOn(worker), name: `On worker ${worker}` });
  }

  const bookAt = (worker: number): Book => {
    const book = books[worker];
    if (book === undefined) throw new Error(`no workspace on worker ${worker}`);
    return book;
  };

  it("workers run statements without compiling them first, which would take seconds", async () => {
    const { tenantId } = bookAt(1);
    const { rows } = await store.read(tenantId, (tx) =>
      sql`select current_setting('jit') as jit from tenants where tenant_id = ${tenantId}`.execute(tx),
    );
    expect(rows).toEqual([{ jit: "off" }]);
  });

  it("one worker away: its tenants are told to come back, all others go on, and later everybody [scale.worker-away]", async () => {
    const keys = await Promise.all(books.map(({ tenantId }) => newKey(core, tenantId)));
    const read = (worker: number) => send(`${rest.url}/v1/invoices`, { key: keys[worker] ?? "" });
    await cluster.stopWorker(1, "immediate");
    try {
      expect((await read(0)).status).toBe(200);
      const refused = await read(1);
      expect(refused.status).toBe(500);
      expect(refused.headers.get("Retry-After")).not.toBeNull();
      const away = store.read(bookAt(1).tenantId, (tx) =>
        sql`select from tenants where tenant_id = ${bookAt(1).tenantId}`.execute(tx),
      );
      await expect(away).rejects.toThrow(StoreUnavailable);
      expect((await listWorkspaces({ core })).map(({ id }) => id)).toEqual([bookAt(0).tenantId]);
      expect((await read(0)).status).toBe(200);
    } finally {
      await cluster.startWorker(1);
    }
    await expect.poll(async () => (await read(1)).status).toBe(200);
    expect(await listWorkspaces({ core })).toHaveLength(2);
  });

  it("a worker lost in the middle of a transaction is a store that is away [scale.worker-away]", async () => {
    const { tenantId } = bookAt(1);
    const rename = sql`update tenants set name = 'Renamed' where tenant_id = ${tenantId}`;
    const cut = async (work: (stop: () => Promise<void>) => Promise<unknown>): Promise<unknown> => {
      try {
        return await work(() => cluster.stopWorker(1, "immediate")).catch((error: unknown) => error);
      } finally {
        await cluster.startWorker(1);
      }
    };
    const lostBetween = await cut((stop) =>
      store.write(tenantId, async (tx) => {
        await rename.execute(tx);
        await stop();
        await rename.execute(tx);
      }),
    );
    expect(lostBetween).toBeInstanceOf(StoreUnavailable);
    const lostAtCommit = await cut((stop) =>
      store.write(tenantId, async (tx) => {
        await rename.execute(tx);
        await stop();
      }),
    );
    expect(lostAtCommit).toBeInstanceOf(StoreUnavailable);
    const lostAtWork = await cut((stop) =>
      store.read(tenantId, async (tx) => {
        const working = sql`select pg_sleep(5) from tenants where tenant_id = ${tenantId}`.execute(tx);
        await Promise.all([working, sleep(500).then(stop)]);
      }),
    );
    expect(lostAtWork).toBeInstanceOf(StoreUnavailable);
  });

  // Half a minute, and no other test needs what it comes to.
  it.runIf(IS_THOROUGH)(
    "a workspace is moved to another worker while it is read and written [scale.move]",
    {
      timeout: MOVE_MS,
    },
    async () => {
      const { tenantId, reader } = bookAt(0);
      const { hostname: host, port } = new URL(cluster.workers[1] ?? "");
      const written: string[] = [];
      const during = { reads: 0, isOver: false };
      /** What met the first or the last statement may be refused: it is undone, and said to be tried again. */
      const tried = (work: Promise<unknown>) =>
        work.catch((error: unknown) => {
          if (!isStoreUnavailable(error)) throw error;
        });
      const write = async () =>
        written.push((await operate(core, tenantId, createLocalInvoice, { ...INVOICE, number: randomUUID() })).id);
      const read = async () => (during.reads += (await call(core, summarizeAging, reader, {})).currencies.length);
      const writing = (async () => {
        while (!during.isOver) await tried(write());
      })();
      const reading = (async () => {
        while (!during.isOver) await tried(read());
      })();
      await psql(MOVE, { workspace: tenantId, host, port }).finally(() => {
        during.isOver = true;
      });
      await Promise.all([writing, reading]);
      expect(await placement.workerOf(tenantId)).toBe(1);
      expect(during.reads).toBeGreaterThan(0);
      const kept = await rowsOf(store, tenantId, "invoices");
      expect(new Set(kept.map((row) => row.invoice_id))).toEqual(new Set(written));
      expect(await operate(core, tenantId, verifyRollup, {})).toMatchObject({ differences: 0 });
      const { rows: unforced } = await coordinator.query(
        "select relname from pg_class where relrowsecurity and not relforcerowsecurity",
      );
      expect(unforced).toEqual([]);
    },
  );

  it("no unique key is without the tenant [scale.routable-schema]", async () => {
    const { rows: keys } = await coordinator.query(
      `select relation.relname as name from pg_dist_partition as distributed
       join pg_index as index on index.indrelid = distributed.logicalrelid and index.indisunique
       join pg_class as relation on relation.oid = index.indexrelid
       join pg_attribute as tenant on tenant.attrelid = index.indrelid and tenant.attname = 'tenant_id'
       where not tenant.attnum = any(index.indkey::int2[])`,
    );
    expect(keys).toEqual([]);
  });
});

import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { endClaim, type Turn } from "../src/core/gate/claims.ts";
import type { Core } from "../src/core/gate/dependencies.ts";
import { listInvoices } from "../src/core/invoices/operations/list-invoices.ts";
import { systemClock } from "../src/core/kernel/calendar.ts";
import { claimPush } from "../src/core/payments/receipts/claimed-push.ts";
import { openPostgres } from "../src/store/database.ts";
import type { Book } from "../test/support/book.ts";
import { testCore } from "../test/support/core.ts";
import { everyRow } from "../test/support/every-row.ts";
import { readsOf } from "../test/support/reads.ts";
import { freePort } from "../test/support/server.ts";
import { startSync } from "../test/support/sync.ts";
import { analyze, startDatabase } from "./database.ts";
import { type MeasuredProcess, startProcess } from "./processes.ts";
import { median } from "./quantile.ts";
import { report } from "./report.ts";
import { fillBook, fillReceipts, fillWorkspaces, type Workspace } from "./tenants-fill.ts";

const TENANTS = Number(process.env.BENCH_TENANTS ?? 2_000);
const RUNS = Number(process.env.BENCH_SYNC_RUNS ?? 50_000);
/** ERPs that are pulled, some of which take calls and never answer. */
const ERPS = Number(process.env.BENCH_ERPS ?? 200);
const HANGING = Math.ceil(ERPS / 25);
const RECEIPTS = 5;
const FEW = 100;
const CLAIMS = 60;
const PAGES = 5;
const INVOICES = 1_000;
const PROCESSES = 3;
/** How long pulls of ERPs that answer are waited for, beside some that do not. */
const PATIENCE_MS = 120_000;
const KEY = Buffer.alloc(32, 7);

/** What one workspace's history, backlog and broken ERPs cost all the others: three processes on one PostgreSQL. */
export async function run(): Promise<boolean> {
  const database = await startDatabase();
  if (database === null) return true;
  const store = await openPostgres(database.url);
  const core = { ...testCore(store, systemClock), checksOutputs: false };
  const hanging = createServer().listen(0);
  const erpPort = await freePort();
  const erp = await startProcess("src/simulators/fusion/main.ts", {
    args: ["--invoices", "20", "--host", "0.0.0.0", "--port", String(erpPort)],
    says: "Fusion simulator",
    core: null,
    environment: { PORT: String(erpPort) },
  });
  try {
    const address = hanging.address();
    const deaf = typeof address === "object" && address !== null ? address.port : 0;
    // Each is a host of its own, as ERPs are.
    const workspaces = await fillWorkspaces(
      core,
      TENANTS,
      (at) => `http://127.1.${Math.floor(at / 200)}.${(at % 200) + 1}:${at < HANGING ? deaf : erpPort}`,
    );
    const pages = await measurePages(core, database.url);
    const claims = await measureClaims(core, database.url, workspaces);
    const pulls = await measurePulls(core, database.url, workspaces.slice(0, ERPS));
    return told({ pages, claims, pulls });
  } finally {
    await erp.stop();
    hanging.close();
    await store.close();
    await database.stop();
  }
}

/** Something beside its peer of the same run. */
interface Pair {
  readonly peer: number;
  readonly value: number;
}

/** Blocks read for a page of 100 invoices: of a book that was never synced but once, and of one with a long history. */
async function measurePages(core: Core, databaseUrl: string): Promise<Pair> {
  const fresh = await fillBook(core, { invoices: INVOICES, runs: 1 });
  const old = await fillBook(core, { invoices: INVOICES, runs: RUNS });
  await analyze(databaseUrl);
  const page = (of: Book) => (on: Core) =>
    listInvoices.call(of.reader, { limit: 100 }, { core: on, requestId: "bench" });
  const blocks = async (of: Book): Promise<number> => {
    const found: number[] = [];
    for (let count = 0; count < PAGES; count += 1) found.push((await readsOf(core, page(of))).blocks);
    return median(found);
  };
  return { peer: await blocks(fresh), value: await blocks(old) };
}

interface Claims {
  readonly blocks: Pair;
  readonly ms: Pair;
}

/** What a claim of a receipt costs with 100 due and with five in each workspace, three claiming at once. */
async function measureClaims(core: Core, databaseUrl: string, workspaces: readonly Workspace[]): Promise<Claims> {
  const others = await Promise.all(Array.from({ length: PROCESSES - 1 }, () => openPostgres(databaseUrl)));
  const cores = [core, ...others.map((store) => ({ ...core, store }))];
  const cost = async (): Promise<{ blocks: number; ms: number }> => {
    await analyze(databaseUrl);
    const [blocks, times]: [number[], number[]] = [[], []];
    const claim = async (own: Core): Promise<void> => {
      const turn: Turn = { after: null };
      for (let count = 0; count < CLAIMS; count += 1) {
        const start = performance.now();
        const push = await claimPush(own, 20_000, { turn });
        times.push(performance.now() - start);
        if (push === undefined) throw new Error("nothing was due");
        await endClaim(own, "payments", push);
      }
    };
    await Promise.all(cores.map(claim));
    for (let count = 0; count < PAGES; count += 1) {
      const { blocks: read } = await readsOf(core, async (on) => {
        const push = await claimPush(on, 20_000);
        if (push !== undefined) await endClaim(core, "payments", push);
      });
      blocks.push(read);
    }
    return { blocks: median(blocks), ms: median(times) };
  };
  await fillReceipts(core, workspaces.slice(0, FEW), 1);
  const few = await cost();
  await fillReceipts(core, workspaces, RECEIPTS);
  const many = await cost();
  // Nobody is to push them in what comes next.
  await everyRow(core.store, (tx) => sql`update payments set erp_push_status = 'applied'`.execute(tx));
  for (const store of others) await store.close();
  return { blocks: { peer: few.blocks, value: many.blocks }, ms: { peer: few.ms, value: many.ms } };
}

/** Pulls a second of ERPs that answer: by themselves, and beside those that hang, which were asked first. */
async function measurePulls(core: Core, databaseUrl: string, workspaces: readonly Workspace[]): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), "receivables-bench-"));
  const [deaf, healthy] = [workspaces.slice(0, HANGING), workspaces.slice(HANGING)];
  const processes: MeasuredProcess[] = [];
  const environment = {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: KEY.toString("base64"),
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
  };
  try {
    for (let count = 0; count < PROCESSES; count += 1)
      processes.push(
        await startProcess("src/main.ts", {
          environment: { ...environment, DATA_DIR: join(folder, String(count)) },
          core: null,
        }),
      );
    await rate(core, healthy);
    const alone = await rate(core, healthy);
    for (const { tenantId, connectionId } of deaf) await startSync(core, tenantId, connectionId);
    // They are at work on those that hang by the time the others are asked.
    await sleep(1_000);
    return { peer: alone, value: await rate(core, healthy) };
  } finally {
    for (const process of processes) await process.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Pulls each of some workspaces once. */
async function rate(core: Core, workspaces: readonly Workspace[]): Promise<number> {
  const start = performance.now();
  for (const { tenantId, connectionId } of workspaces) await startSync(core, tenantId, connectionId);
  const ids = workspaces.map(({ connectionId }) => connectionId);
  for (;;) {
    const { rows } = await everyRow(core.store, (tx) =>
      sql<{ count: number }>`select count(*)::int as count from sync_runs
        where status = 'running' and connection_id = any(${ids}::uuid[])`.execute(tx),
    );
    const seconds = (performance.now() - start) / 1_000;
    const left = rows[0]?.count ?? 0;
    if (left === 0 || seconds * 1_000 > PATIENCE_MS) return (workspaces.length - left) / seconds;
    await sleep(50);
  }
}

function told({ pages, claims, pulls }: { pages: Pair; claims: Claims; pulls: Pair }): boolean {
  const row = (what: string, { peer, value }: Pair, digits = 0): string[] => [
    what,
    peer.toFixed(digits),
    value.toFixed(digits),
    (value / peer).toFixed(2),
  ];
  return report("tenants", {
    note: `${TENANTS} workspaces, ${RUNS} sync runs of one, ${TENANTS * RECEIPTS} receipts due, ${HANGING} of ${ERPS} ERPs hanging, ${PROCESSES} processes`,
    columns: ["what", "peer", "here", "ratio"],
    rows: [
      row("blocks of a page of invoices, 1 sync run → all", pages),
      row(`blocks of a claim, ${FEW} receipts due → all`, claims.blocks),
      row(`ms of a claim, ${FEW} receipts due → all`, claims.ms, 2),
      row("pulls a second, no ERP hanging → some", pulls, 1),
    ],
    limits: [
      { what: "a page of a long history / of a fresh book", value: pages.value / pages.peer, most: 2 },
      { what: `a claim with all due / with ${FEW}`, value: claims.blocks.value / claims.blocks.peer, most: 1.5 },
      { what: "pulls without hanging ERPs / beside them", value: pulls.peer / pulls.value, most: 1 / 0.8 },
    ],
  });
}

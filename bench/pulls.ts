import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import pg from "pg";
import { systemClock } from "../src/core/kernel/calendar.ts";
import { openPostgres } from "../src/store/database.ts";
import { testCore } from "../test/support/core.ts";
import { connectWorkspace, makeTenant } from "../test/support/pulls.ts";
import { startSync } from "../test/support/sync.ts";
import { waitForRun } from "../test/support/wait-for-run.ts";
import { startDatabase } from "./database.ts";
import { type MeasuredProcess, startProcess } from "./processes.ts";
import { report } from "./report.ts";

const INVOICES = Number(process.env.BENCH_PULLED ?? 100_000);
const BATCH = 500;

/**
 * A first pull of 100,000 invoices from an ERP into PostgreSQL, and a second that finds nothing new, beside a bare
 * upsert of the very rows it left.
 */
export async function run(): Promise<boolean> {
  const database = await startDatabase();
  if (database === null) return true;
  const folder = mkdtempSync(join(tmpdir(), "receivables-bench-"));
  const erp = await startProcess("src/simulators/fusion/main.ts", {
    args: ["--invoices", String(INVOICES)],
    says: "Fusion simulator",
    core: 1,
  });
  const service = await startProcess("src/main.ts", {
    environment: {
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      DATA_DIR: join(folder, "data"),
    },
  });
  try {
    return await measure(database.url, erp.port, service);
  } finally {
    await service.stop();
    await erp.stop();
    rmSync(folder, { recursive: true, force: true });
    await database.stop();
  }
}

interface Pull {
  seconds: number;
  /** Of the service's process, in MB. */
  memory: number[];
}

async function measure(databaseUrl: string, erpPort: number, service: MeasuredProcess): Promise<boolean> {
  const store = await openPostgres(databaseUrl);
  const core = testCore(store, systemClock);
  const tenantId = await makeTenant(core);
  const connectionId = await connectWorkspace(core, tenantId, `http://127.0.0.1:${erpPort}`);
  const pull = async (): Promise<Pull> => {
    const memory: number[] = [];
    const start = performance.now();
    const sampling = setInterval(() => memory.push(service.residentMb()), 100);
    const { status, error } = await waitForRun(core, tenantId, await startSync(core, tenantId, connectionId));
    clearInterval(sampling);
    if (status !== "succeeded") throw new Error(`the pull failed: ${error?.code}`);
    return { seconds: (performance.now() - start) / 1_000, memory };
  };
  const first = await pull();
  const second = await pull();
  await store.close();
  const bare = await bareUpsert(databaseUrl);

  const third = Math.floor(first.memory.length / 3);
  const early = Math.max(...first.memory.slice(0, third));
  const late = Math.max(...first.memory.slice(-third));
  const rate = (seconds: number): string => (INVOICES / seconds).toFixed(0);
  return report("pulls", {
    note: `${INVOICES} invoices from a simulated ERP into PostgreSQL`,
    columns: ["what", "seconds", "invoices/s", "memory MB"],
    rows: [
      ["first pull", first.seconds.toFixed(1), rate(first.seconds), `${early.toFixed(0)} → ${late.toFixed(0)}`],
      ["second, nothing new", second.seconds.toFixed(1), rate(second.seconds), Math.max(...second.memory).toFixed(0)],
      [`bare upsert in batches of ${BATCH}`, bare.toFixed(1), rate(bare), ""],
    ],
    limits: [
      { what: "first pull / bare upsert", value: first.seconds / bare, most: 1 / 0.4 },
      { what: "second pull / first pull", value: second.seconds / first.seconds, most: 1 / 2 },
      { what: "memory late / early in the first pull", value: late / early, most: 1.25 },
    ],
  });
}

/** Seconds that the rows of invoices and installments take into tables alike, with the same indexes, and no more. */
async function bareUpsert(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  let seconds = 0;
  for (const [table, key] of [
    ["invoices", "tenant_id, invoice_id"],
    ["installments", "tenant_id, installment_id"],
  ] as const) {
    await client.query(`create table bare_${table} (like ${table} including all)`);
    const columns = await client.query(
      `select column_name as name from information_schema.columns
       where table_name = $1 and table_schema = 'public' and is_generated = 'NEVER' order by ordinal_position`,
      [table],
    );
    const names: string[] = columns.rows.map(({ name }: { name: string }) => `"${name}"`);
    const sets = names.map((name) => `${name} = excluded.${name}`).join(", ");
    const { rows } = await client.query(`select row_to_json(t)::text as row from ${table} t order by ${key}`);
    const start = performance.now();
    for (let at = 0; at < rows.length; at += BATCH) {
      const batch = `[${rows
        .slice(at, at + BATCH)
        .map(({ row }: { row: string }) => row)
        .join(",")}]`;
      await client.query(
        `insert into bare_${table} (${names.join(", ")})
         select ${names.join(", ")} from jsonb_populate_recordset(null::bare_${table}, $1::jsonb)
         on conflict (${key}) do update set ${sets}`,
        [batch],
      );
    }
    seconds += (performance.now() - start) / 1_000;
  }
  await client.end();
  return seconds;
}

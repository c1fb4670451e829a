import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { addDays, businessDate } from "../src/core/kernel/calendar.ts";
import { advanceAging } from "../src/store/aging/rollup.ts";
import { verifyAging } from "../src/store/aging/verify.ts";
import { openPostgres } from "../src/store/database.ts";
import type { Store } from "../src/store/store.ts";
import { everyRow } from "../test/support/every-row.ts";
import { fillAgingBook } from "./aging-book.ts";
import { analyze, startDatabase } from "./database.ts";
import { type MeasuredProcess, startProcess } from "./processes.ts";
import { report } from "./report.ts";

const TENANTS = Number(process.env.BENCH_TENANTS ?? 2_000);
const INSTALLMENTS = 25;
const PROCESSES = 2;
const TENANTS_AT_ONCE = 1_000;
/** What a midnight of 20,000 workspaces may take. */
const MOST_SECONDS = 120;
const PATIENCE_MS = 30 * 60_000;

/** Tables of a workspace with its book and its roll-up, in the order of their foreign keys. */
const TABLES = [
  ...["tenants", "erp_connections", "customers", "invoices", "installments", "aging_state", "aging_debts"],
  ...["aging_customers", "aging_days", "aging_totals", "aging_closings", "invoice_figures", "invoice_totals"],
];

/** A new day begins for many workspaces, in each of which a debt becomes overdue: how long until all roll-ups are at it. */
export async function run(): Promise<boolean> {
  const database = await startDatabase();
  if (database === null) return true;
  const store = await openPostgres(database.url);
  try {
    const today = businessDate(new Date(), "UTC");
    const first = await fillFirst(store, addDays(today, -1));
    for (let from = 2; from <= TENANTS; from += TENANTS_AT_ONCE)
      await copy(store, first, { from, to: Math.min(from + TENANTS_AT_ONCE - 1, TENANTS) });
    await analyze(database.url);
    const { seconds, cpuSeconds } = await midnight(store, database.url, today);
    const { differences } = await store.patient.read(first, (tx) => verifyAging(tx, first));
    if (differences > 0) throw new Error(`the roll-up has ${differences} differences`);
    const each = MOST_SECONDS / 20_000;
    return report("midnight", {
      note: `${TENANTS} workspaces of ${INSTALLMENTS} installments each come to a new day, ${PROCESSES} processes`,
      columns: ["what", "here"],
      rows: [
        ["seconds until all roll-ups are at the day", seconds.toFixed(1)],
        ["workspaces a second", (TENANTS / seconds).toFixed(0)],
        ["CPU seconds of the processes", cpuSeconds.toFixed(1)],
      ],
      limits: [{ what: "seconds", value: seconds, most: Math.max(each * TENANTS, 15) }],
    });
  } finally {
    await store.close();
    await database.stop();
  }
}

/** A workspace whose roll-up is at that day, with a debt that is due on it. */
async function fillFirst(store: Store, day: string): Promise<string> {
  const { tenantId } = await fillAgingBook(store, randomUUID(), INSTALLMENTS);
  await store.patient.write(tenantId, async (tx) => {
    await sql`update installments set due_date = ${day} where tenant_id = ${tenantId} and installment_id = (
      select installment_id from installments where tenant_id = ${tenantId} and not closed limit 1)`.execute(tx);
    await advanceAging(tx, tenantId, day);
  });
  return tenantId;
}

/** Copies it, with its roll-up, into others: each id becomes another one, the same wherever it stands. */
async function copy(store: Store, first: string, { from, to }: { from: number; to: number }): Promise<void> {
  await everyRow(store.patient, async (tx) => {
    for (const table of TABLES) {
      const { rows } = await sql<{ name: string; type: string }>`
        select attname as name, atttypid::regtype::text as type from pg_attribute
        where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(tx);
      const values = rows.map(({ name, type }) => {
        const own = sql.ref(`one.${name}`);
        if (name === "tenant_id") return sql`other.id`;
        if (name === "name" && table === "tenants") return sql`${own} || ' ' || other.n`;
        if (name === "customer_key") return sql`md5(other.n || ${own})::uuid::text`;
        return type === "uuid" ? sql`md5(other.n || ${own}::text)::uuid` : own;
      });
      await sql`insert into ${sql.table(table)} (${sql.join(rows.map(({ name }) => sql.ref(name)))})
        select ${sql.join(values)} from ${sql.table(table)} as one,
          (select n, md5('workspace ' || n)::uuid as id from generate_series(${from}::int, ${to}::int) as n) as other
        where one.tenant_id = ${first}`.execute(tx);
    }
  });
}

/** Seconds from the start of the processes until no roll-up is behind. */
async function midnight(store: Store, databaseUrl: string, today: string) {
  const folder = mkdtempSync(join(tmpdir(), "receivables-bench-"));
  const processes: MeasuredProcess[] = [];
  const environment = {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    DEMO: "off",
    LOG_LEVEL: "error",
  };
  const begun = performance.now();
  const elapsed = (): number => (performance.now() - begun) / 1_000;
  try {
    for (let count = 0; count < PROCESSES; count += 1) {
      const own = { ...environment, DATA_DIR: join(folder, String(count)) };
      processes.push(await startProcess("src/main.ts", { environment: own, core: null }));
    }
    for (;;) {
      const { rows } = await everyRow(store, (tx) =>
        sql<{ behind: number }>`select count(*)::int as behind from aging_state where as_of < ${today}`.execute(tx),
      );
      const seconds = elapsed();
      const cpuSeconds = processes.reduce((sum, one) => sum + one.cpuMicros(), 0) / 1e6;
      if (rows[0]?.behind === 0) return { seconds, cpuSeconds };
      if (seconds * 1_000 > PATIENCE_MS) throw new Error(`${rows[0]?.behind} roll-ups are still behind`);
      await sleep(200);
    }
  } finally {
    for (const process of processes) await process.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { startDatabase } from "./database.ts";
import { startProcess } from "./processes.ts";
import { median } from "./quantile.ts";
import { report } from "./report.ts";

const STARTS = Number(process.env.BENCH_STARTS ?? 5);
const REST_SECONDS = Number(process.env.BENCH_REST_SECONDS ?? 20);

/** Seconds from the start of the process until it says it is ready, as many times as asked. */
async function start(environment: Readonly<Record<string, string>>, times: number): Promise<number[]> {
  const seconds: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const began = performance.now();
    const service = await startProcess("src/main.ts", { environment, core: null });
    seconds.push((performance.now() - began) / 1_000);
    await service.stop();
  }
  return seconds.sort((a, b) => a - b);
}

/** What a started service holds in memory once it is at rest, in MB: it takes more while the store is being compiled. */
async function memoryAtRest(environment: Readonly<Record<string, string>>): Promise<number> {
  const service = await startProcess("src/main.ts", { environment, core: null });
  let least = service.residentMb();
  for (let second = 0; second < REST_SECONDS; second += 1) {
    await sleep(1_000);
    least = Math.min(least, service.residentMb());
  }
  await service.stop();
  return least;
}

/** Starts on PostgreSQL after the first, which makes its tables; none without a server. */
async function startsOnPostgres(folder: string): Promise<number[]> {
  const database = await startDatabase();
  if (database === null) return [];
  try {
    const key = Buffer.alloc(32, 7).toString("base64");
    const environment = { DATABASE_URL: database.url, ENCRYPTION_KEY: key, DATA_DIR: join(folder, "postgres") };
    await start(environment, 1);
    return await start(environment, STARTS);
  } finally {
    await database.stop();
  }
}

/** From start to ready: the embedded store with its demo for the first time and after, and PostgreSQL while the other rests. */
export async function run(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "receivables-bench-"));
  try {
    const embedded = { DATA_DIR: join(folder, "embedded") };
    const [first = 0] = await start(embedded, 1);
    const warm = await start(embedded, STARTS);
    const [memory, postgres] = await Promise.all([memoryAtRest(embedded), startsOnPostgres(folder)]);
    const row = (what: string, sorted: number[]): string[] => [
      what,
      median(sorted).toFixed(2),
      (sorted.at(-1) ?? 0).toFixed(2),
    ];
    return report("starts", {
      note: `seconds until the service is ready, ${STARTS} of each`,
      columns: ["what", "median", "longest"],
      rows: [row("embedded, first, with the demo", [first]), row("embedded", warm), row("PostgreSQL", postgres)],
      limits: [
        { what: "embedded, first, with the demo", value: first, most: 60 },
        { what: "embedded", value: median(warm), most: 3 },
        { what: "PostgreSQL", value: median(postgres), most: 1 },
        { what: "memory of the server at rest, embedded, MB", value: memory, most: 400 },
      ],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

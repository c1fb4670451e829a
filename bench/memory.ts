import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { type MeasuredProcess, ROOT, startProcess } from "./processes.ts";
import { median } from "./quantile.ts";
import { report } from "./report.ts";

const INVOICES = Number(process.env.BENCH_PULLED ?? 100_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 24);
const SAMPLE_MS = 100;
const CALLERS = 12;
const PATHS = [
  "invoices?limit=50",
  "aging/summary",
  "aging/customers?limit=50",
  "aging/installments?limit=50",
  "payments",
];
const execute = promisify(execFile);

const Key = z.object({ key: z.string() });

/** What a process held while something went on, in MB. */
type Stretch = readonly number[];

/**
 * Memory of the service on the embedded store, as a newcomer starts it: from its very first start, the demo's included,
 * through a pull of 100,000 invoices and a second one, to reads by a dozen callers at once.
 */
export async function run(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "receivables-bench-"));
  const erp = await startProcess("src/simulators/fusion/main.ts", {
    args: ["--invoices", String(INVOICES)],
    says: "Fusion simulator",
    core: 1,
  });
  const dataDir = join(folder, "data");
  const service = await startProcess("src/main.ts", {
    environment: { DATA_DIR: dataDir, RATE_LIMITS: "off" },
  });
  try {
    const admin = adminOf(dataDir);
    await admin("workspace", "create", "--name", "Bench", "--timezone", "UTC");
    const made = await admin("api-key", "create", ...IN, "--name", "bench", "--permission", "readonly", "--json");
    const erpOptions = [
      "--provider",
      "oracle_fusion",
      "--url",
      `http://127.0.0.1:${erp.port}`,
      "--user",
      "integration",
    ];
    await admin("erp", "connect", ...IN, ...erpOptions, "--password-stdin");
    const pull = () => during(service, () => admin("erp", "sync", ...IN, "--wait"));
    const first = await pull();
    const second = await pull();
    const { key } = Key.parse(JSON.parse(made));
    const reads = await during(service, () => readOn(`http://localhost:${service.port}/v1`, key));
    const rows = { "first pull": first, "second, nothing new": second, "reads at once": reads };
    return report("memory", {
      note: `the embedded store, ${INVOICES} invoices, ${CALLERS} callers`,
      columns: ["while", "median MB", "peak MB"],
      rows: Object.entries(rows).map(([name, held]) => [name, median(held).toFixed(0), Math.max(...held).toFixed(0)]),
      limits: [
        { what: "resident under load, MB", value: Math.max(...Object.values(rows).map(median)), most: 400 },
        { what: "peak from an empty folder on, MB", value: service.peakMb(), most: 600 },
      ],
    });
  } finally {
    await service.stop();
    await erp.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const IN = ["--workspace", "Bench"] as const;

/** The operator's command, which reaches the running server through its folder. */
function adminOf(dataDir: string): (...words: string[]) => Promise<string> {
  return async (...words) => {
    const asked = execute(process.execPath, ["src/admin/main.ts", ...words], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, DATA_DIR: dataDir },
    });
    asked.child.stdin?.end("a password");
    return (await asked).stdout;
  };
}

async function during(service: MeasuredProcess, work: () => Promise<unknown>): Promise<Stretch> {
  const held = [service.residentMb()];
  const sampling = setInterval(() => held.push(service.residentMb()), SAMPLE_MS);
  await work().finally(() => clearInterval(sampling));
  return held;
}

async function readOn(url: string, key: string): Promise<void> {
  const until = performance.now() + SECONDS * 1_000;
  await Promise.all(
    Array.from({ length: CALLERS }, async (_, caller) => {
      for (let turn = caller; performance.now() < until; turn += 1) {
        const path = PATHS[turn % PATHS.length] ?? "me";
        const answer = await fetch(`${url}/${path}`, { headers: { Authorization: `Bearer ${key}` } });
        await answer.arrayBuffer();
        if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`);
      }
    }),
  );
}

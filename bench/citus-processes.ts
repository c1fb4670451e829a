import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createApiKey } from "../auth/api-keys/create-api-key.ts";
import { verifyRollup } from "../src/core/aging/verify-rollup.ts";
import type { Core } from "../src/core/gate/dependencies.ts";
import { operate } from "../src/core/gate/operator.ts";
import { systemClock } from "../src/core/kernel/calendar.ts";
import { openPostgres } from "../src/store/database.ts";
import { testCore } from "../test/support/core.ts";
import { connectWorkspace, makeTenant } from "../test/support/pulls.ts";
import { startSync } from "../test/support/sync.ts";
import { waitForRun } from "../test/support/wait-for-run.ts";
import { type MeasuredProcess, startProcess } from "./processes.ts";

const PROCESSES = [1, 2, 4];
const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
/** Of all workspaces together. */
const PULLED = Number(process.env.BENCH_PULLED ?? 20_000);
const WORKSPACES = 4;
const CALLERS = 10;

/** A line of the table: a figure for each store. */
export interface WithProcesses {
  readonly what: string;
  readonly figures: readonly string[];
}

interface Figures {
  readonly calls: string;
  readonly pulls: string;
}

interface Place {
  readonly databaseUrl: string;
}

/** What calls and pulls cost with one process of the service, and with more, on each of some stores. */
export async function measureProcesses(places: readonly Place[], folder: string): Promise<WithProcesses[]> {
  const erp = await startProcess("src/simulators/fusion/main.ts", {
    args: ["--invoices", String(Math.ceil(PULLED / WORKSPACES)), "--host", "0.0.0.0"],
    says: "Fusion simulator",
    core: null,
  });
  const lines: WithProcesses[] = [];
  try {
    for (const count of PROCESSES) {
      const found: Figures[] = [];
      for (const { databaseUrl } of places)
        found.push(await measure({ databaseUrl, count, erpPort: erp.port, folder }));
      const who = count === 1 ? "1 process" : `${count} processes`;
      lines.push({ what: `${who}: calls a second (CPU µs each)`, figures: found.map(({ calls }) => calls) });
      lines.push({ what: `${who}: invoices pulled a second (CPU µs each)`, figures: found.map(({ pulls }) => pulls) });
    }
  } finally {
    await erp.stop();
  }
  return lines;
}

interface Setting extends Place {
  readonly count: number;
  readonly erpPort: number;
  readonly folder: string;
}

async function measure({ databaseUrl, count, erpPort, folder }: Setting): Promise<Figures> {
  const processes: MeasuredProcess[] = [];
  const environment = {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    DEMO: "off",
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
  };
  const store = await openPostgres(databaseUrl);
  const core = testCore(store, systemClock);
  const cpu = (): number => processes.reduce((sum, one) => sum + one.cpuMicros(), 0);
  try {
    for (let n = 0; n < count; n += 1) {
      const own = { ...environment, DATA_DIR: mkdtempSync(join(folder, "process-")) };
      processes.push(await startProcess("src/main.ts", { core: null, environment: own }));
    }
    const pulls = await pull(core, erpPort, cpu);
    return { pulls: pulls.figure, calls: await ask(core, pulls.tenantId, processes, cpu) };
  } finally {
    for (const one of processes) await one.stop();
    await store.close();
  }
}

const figure = (done: number, ms: number, cpuMicros: number): string =>
  `${((done / ms) * 1_000).toFixed(0)} (${(cpuMicros / done).toFixed(0)})`;

/** Pulls some new workspaces at once; what is reported of them afterwards is exact. */
async function pull(core: Core, erpPort: number, cpu: () => number): Promise<{ figure: string; tenantId: string }> {
  const workspaces: { tenantId: string; connectionId: string }[] = [];
  for (let n = 1; n <= WORKSPACES; n += 1) {
    const tenantId = await makeTenant(core);
    // Each is a host of its own, as ERPs are.
    workspaces.push({
      tenantId,
      connectionId: await connectWorkspace(core, tenantId, `http://127.0.0.${n}:${erpPort}`),
    });
  }
  const [begun, cpuBefore] = [performance.now(), cpu()];
  const pullOne = async ({ tenantId, connectionId }: (typeof workspaces)[number]): Promise<void> => {
    const { status, error } = await waitForRun(core, tenantId, await startSync(core, tenantId, connectionId));
    if (status !== "succeeded") throw new Error(`a pull failed: ${error?.code}`);
  };
  await Promise.all(workspaces.map(pullOne));
  const told = figure(PULLED, performance.now() - begun, cpu() - cpuBefore);
  for (const { tenantId } of workspaces) {
    const { differences } = await operate(core, tenantId, verifyRollup, {});
    if (differences > 0) throw new Error(`the roll-up has ${differences} differences`);
  }
  return { figure: told, tenantId: workspaces[0]?.tenantId ?? "" };
}

/** Pages of invoices, asked of all processes in turn. */
async function ask(
  core: Core,
  tenantId: string,
  processes: readonly MeasuredProcess[],
  cpu: () => number,
): Promise<string> {
  const { key } = await operate(core, tenantId, createApiKey, { name: "bench", permission: "readonly" });
  const headers = { Authorization: `Bearer ${key}` };
  let answered = 0;
  const [begun, cpuBefore] = [performance.now(), cpu()];
  const goOn = (): boolean => performance.now() - begun < SECONDS * 1_000;
  await Promise.all(
    Array.from({ length: CALLERS }, async (_, n) => {
      const port = processes[n % processes.length]?.port;
      while (goOn()) {
        const answer = await fetch(`http://localhost:${port}/v1/invoices?limit=25`, { headers });
        if (answer.status !== 200) throw new Error(await answer.text());
        await answer.text();
        answered += 1;
      }
    }),
  );
  return figure(answered, performance.now() - begun, cpu() - cpuBefore);
}

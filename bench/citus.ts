import { AsyncLocalStorage } from "node:async_hooks";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addMember } from "../auth/members/add-member.ts";
import { citusMissing, startCitus } from "../cluster/citus.ts";
import { operate } from "../src/core/gate/operator.ts";
import { statements } from "../src/signals.ts";
import { approveByForms, connectAssistant } from "../test/support/assistant.ts";
import { openBook } from "../test/support/book.ts";
import { startCaller } from "./caller.ts";
import { measureProcesses, type WithProcesses } from "./citus-processes.ts";
import { startDatabase } from "./database.ts";
import { openService } from "./open-service.ts";
import { median } from "./quantile.ts";
import { report } from "./report.ts";

const CALLS = Number(process.env.BENCH_CALLS ?? 300);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 8);
/** Into which Citus divides a table where nobody says otherwise. */
const SHARDS = 32;
const PERSON = { email: "bench@bench.example", password: "a long enough password" };

/** A store, the service on it and an assistant that calls it. */
interface Side {
  readonly name: string;
  readonly databaseUrl: string;
  /** Milliseconds of its calls: of the server's own work, and as their caller waits. */
  readonly times: number[];
  readonly waited: number[];
  /** Statements of a call. */
  readonly statements: number;
  call(calls: number): Promise<void>;
  close(): Promise<void>;
}

let asked = 0;

async function openSide(name: string, databaseUrl: string, folder: string): Promise<Side> {
  const service = await openService({ DATABASE_URL: databaseUrl, DATA_DIR: join(folder, name) });
  const { tenantId } = await openBook(service.core.store, { name: "Bench" });
  await operate(service.core, tenantId, addMember, { ...PERSON, role: "admin" });
  const { provider, client } = await connectAssistant(`${service.url}/mcp`, approveByForms(service.url, PERSON));
  const caller = await startCaller({ url: service.url, token: provider.kept?.access_token ?? "" });
  const waited: number[] = [];
  const call = async (calls: number): Promise<void> => {
    waited.push(...(await caller.make({ calls, tool: "get_context", args: {} })));
  };
  // A server runs for days, and compiles what it uses in its first seconds.
  await call(CALLS);
  const before = asked;
  await call(CALLS);
  const perCall = (asked - before) / CALLS;
  service.times.length = 0;
  waited.length = 0;
  return {
    ...{ name, databaseUrl, times: service.times, waited, statements: perCall, call },
    async close() {
      await caller.leave();
      await client.close();
      await service.close();
    },
  };
}

/** The cost of Citus beside one server, both on this machine: a call, its statements, and several processes of the service. */
export async function run(): Promise<boolean> {
  const cluster = await startCitus({ shards: SHARDS });
  if (cluster === null) {
    process.stdout.write(`left out: ${citusMissing()}\n`);
    return true;
  }
  process.once("exit", cluster.stop);
  const database = await startDatabase();
  if (database === null) return true;
  const folder = mkdtempSync(join(tmpdir(), "receivables-bench-"));
  // Counted only where somebody follows when the store is opened.
  const unfollow = statements.follow({
    store: new AsyncLocalStorage<undefined>(),
    began: () => undefined,
    ended() {
      asked += 1;
    },
  });
  const sides: Side[] = [];
  try {
    sides.push(await openSide("one server", database.url, folder));
    sides.push(await openSide("Citus", await cluster.createDatabase("bench"), folder));
    for (let round = 0; round < ROUNDS; round += 1)
      for (const side of sides) await side.call(Math.ceil(CALLS / ROUNDS));
    for (const side of sides) await side.close();
    return told(sides, await measureProcesses(sides, folder));
  } finally {
    unfollow();
    rmSync(folder, { recursive: true, force: true });
    await database.stop();
    process.off("exit", cluster.stop);
    cluster.stop();
  }
}

function told(sides: readonly Side[], processes: readonly WithProcesses[]): boolean {
  const [one, citus] = sides.map(({ times, waited, statements: count }) => ({
    inside: median(times),
    ms: median(waited),
    count,
  }));
  if (one === undefined || citus === undefined) throw new Error("both were measured");
  const cells = (value: (of: NonNullable<typeof one>) => string): string[] => [value(one), value(citus)];
  return report("citus", {
    note: `get_context ${CALLS} times on each store in ${ROUNDS} rounds; a coordinator and two workers, ${SHARDS} shards`,
    columns: ["what", ...sides.map(({ name }) => name)],
    rows: [
      ["get_context as its caller waits, p50 ms", ...cells(({ ms }) => ms.toFixed(2))],
      ["the same inside the server", ...cells(({ inside }) => inside.toFixed(2))],
      ["its statements", ...cells(({ count }) => count.toFixed(1))],
      ...processes.map(({ what, figures }) => [what, ...figures]),
    ],
    limits: [
      { what: "get_context on Citus / on one server", value: citus.ms / one.ms, most: 2.5 },
      { what: "statements of a call, the same", value: citus.count / one.count, most: 1.5 },
    ],
  });
}

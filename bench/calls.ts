import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addMember } from "../auth/members/add-member.ts";
import { systemClock } from "../src/core/calendar.ts";
import { operate } from "../src/core/operator.ts";
import { openPostgres } from "../src/store/database.ts";
import { approveByForms, connectAssistant } from "../test/support/assistant.ts";
import { testCore } from "../test/support/core.ts";
import { freePort } from "../test/support/server.ts";
import { analyze, startDatabase } from "./database.ts";
import { fillLedger } from "./ledger.ts";
import { load, type MeasuredProcess, startProcess } from "./processes.ts";
import { median } from "./quantile.ts";
import { report } from "./report.ts";

/** For which each kind of request is measured, in so many rounds. */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 24);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 8);
const PERSON = { email: "bench@bench.example", password: "a long enough password" };
const JSON_HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

const call = (name: string, args: object): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });

interface Row {
  who: string;
  perSecond: number;
  cpuMicros: number;
  /** CPU beside that of the SDK's server in the same round. */
  timesSdk: number;
  p50: number;
  p99: number;
}

/** One kind of request, and who answers it. */
interface Subject {
  who: string;
  server: MeasuredProcess;
  /** What the others are compared with. */
  isSdk?: true;
  request: { headers: Record<string, string>; body: string };
}

interface Taken {
  subject: Subject;
  rounds: Omit<Row, "who" | "timesSdk">[];
}

/**
 * Measures each in turn, round after round, for a machine is not the same from one minute to the next; first each is asked
 * unmeasured for as long: a server runs for days, and compiles what it uses in its first half minute. Of each the medians of
 * its rounds; ratios are those of neighbours.
 */
function measure(subjects: readonly Subject[]): Row[] {
  const ask = ({ server, request }: Subject, seconds: number) =>
    load({ url: `http://127.0.0.1:${server.port}/mcp`, ...request, seconds });
  for (const subject of subjects) ask(subject, SECONDS);
  const taken = subjects.map((subject): Taken => ({ subject, rounds: [] }));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { subject, rounds } of taken) {
      const before = subject.server.cpuMicros();
      const { perSecond, p50, p99, answered } = ask(subject, Math.ceil(SECONDS / ROUNDS));
      rounds.push({ perSecond, p50, p99, cpuMicros: (subject.server.cpuMicros() - before) / answered });
    }
  }
  const sdk = taken.find(({ subject }) => subject.isSdk)?.rounds ?? [];
  return taken.map(({ subject: { who }, rounds }) => ({
    who,
    timesSdk: median(rounds.map(({ cpuMicros }, round) => cpuMicros / (sdk[round]?.cpuMicros ?? Number.NaN))),
    perSecond: median(rounds.map((round) => round.perSecond)),
    p50: median(rounds.map((round) => round.p50)),
    p99: median(rounds.map((round) => round.p99)),
    cpuMicros: median(rounds.map((round) => round.cpuMicros)),
  }));
}

/**
 * What a call of the assistant route costs: authenticated, authorised and counted on PostgreSQL, beside the same load on
 * servers that do none of it. Limits: CPU a request against the SDK's own server, throughput against plain node:http,
 * memory.
 */
export async function run(): Promise<boolean> {
  const database = await startDatabase();
  if (database === null) return true;
  const folder = mkdtempSync(join(tmpdir(), "receivables-bench-"));
  try {
    return await compare(database.url, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await database.stop();
  }
}

async function compare(databaseUrl: string, folder: string): Promise<boolean> {
  const store = await openPostgres(databaseUrl);
  const core = testCore(store, systemClock);
  const { tenantId } = await fillLedger(store, randomUUID(), 20_000);
  await operate(core, tenantId, addMember, { ...PERSON, role: "admin" });
  await store.close();
  await analyze(databaseUrl);

  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const ours = await startProcess("src/main.ts", {
    environment: {
      PORT: String(port),
      PUBLIC_URL: origin,
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      DATA_DIR: join(folder, "data"),
      RATE_LIMITS: "off",
    },
  });
  const answer = join(folder, "answer.json");
  const peers: MeasuredProcess[] = [];
  const peer = async (path: string, environment = {}): Promise<MeasuredProcess> => {
    const started = await startProcess(path, { environment });
    peers.push(started);
    return started;
  };
  let rows: Row[];
  let memory: number;
  try {
    const { provider, client } = await connectAssistant(`${origin}/mcp`, approveByForms(origin, PERSON));
    const headers = { ...JSON_HEADERS, authorization: `Bearer ${provider.kept?.access_token}` };
    const context = call("get_context", {});
    const said = await fetch(`${origin}/mcp`, { method: "POST", headers, body: context });
    writeFileSync(answer, Buffer.from(await said.arrayBuffer()));
    const list = call("list_invoices", { limit: 25 });
    const echo = { headers: JSON_HEADERS, body: call("echo", { text: "hello" }) };
    rows = measure([
      { who: "get_context", server: ours, request: { headers, body: context } },
      { who: "list_invoices of 25", server: ours, request: { headers, body: list } },
      { who: "SDK server, as documented", isSdk: true, server: await peer("bench/peers/bare-sdk.ts"), request: echo },
      { who: "fastmcp, stateless", server: await peer("bench/peers/fastmcp.ts"), request: echo },
      {
        who: "node:http, get_context's bytes",
        server: await peer("bench/peers/raw.ts", { BODY: answer }),
        request: echo,
      },
    ]);
    memory = ours.residentMb();
    await client.close();
  } finally {
    for (const server of [ours, ...peers]) await server.stop();
  }

  const [context, list, , , raw] = rows;
  if (!context || !list || !raw) throw new Error("all were measured");
  return report("calls", {
    note: `10 connections for ${SECONDS} s each in ${ROUNDS} rounds, medians, server and load on a core each; peers answer without a token or a store`,
    columns: ["who", "req/s", "CPU µs", "× SDK", "p50 ms", "p99 ms"],
    rows: rows.map((row) => [
      row.who,
      row.perSecond.toFixed(0),
      row.cpuMicros.toFixed(0),
      row.timesSdk.toFixed(2),
      row.p50.toFixed(1),
      row.p99.toFixed(1),
    ]),
    limits: [
      { what: "CPU of get_context / SDK server", value: context.timesSdk, most: 1 },
      { what: "CPU of list_invoices / SDK server", value: list.timesSdk, most: 1.5 },
      { what: "node:http req/s / get_context req/s", value: raw.perSecond / context.perSecond, most: 70_000 / 3_000 },
      { what: "memory of the server, MB", value: memory, most: 300 },
    ],
  });
}

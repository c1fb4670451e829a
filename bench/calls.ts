import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addMember } from "../auth/members/add-member.ts";
import { operate } from "../src/core/gate/operator.ts";
import { systemClock } from "../src/core/kernel/calendar.ts";
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
const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64");
const JSON_HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

const call = (name: string, args: object): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });

interface Row {
  who: string;
  perSecond: number;
  cpuMicros: number;
  /** CPU beside that of the peer it is compared with, in the same round. */
  timesPeer: number;
  p50: number;
  p99: number;
}

/** One kind of request, and who answers it. */
interface Subject {
  who: string;
  server: MeasuredProcess;
  /** Who it is compared with. */
  beside?: string;
  request: { headers: Record<string, string>; body: string };
}

interface Taken {
  subject: Subject;
  rounds: Omit<Row, "who" | "timesPeer">[];
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
  const cpuOf = (who: string | undefined, round: number): number =>
    taken.find(({ subject }) => subject.who === who)?.rounds[round]?.cpuMicros ?? Number.NaN;
  return taken.map(({ subject: { who, beside }, rounds }) => ({
    who,
    timesPeer: median(rounds.map(({ cpuMicros }, round) => cpuMicros / cpuOf(beside, round))),
    perSecond: median(rounds.map((round) => round.perSecond)),
    p50: median(rounds.map((round) => round.p50)),
    p99: median(rounds.map((round) => round.p99)),
    cpuMicros: median(rounds.map((round) => round.cpuMicros)),
  }));
}

/**
 * What a call of the assistant route costs: authenticated, authorised and counted on PostgreSQL, beside the same load on a
 * peer that does the same work from stock parts, and on servers that do none of it. Limits: CPU a request against the
 * stock parts, and memory.
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
  await fillWorkspace(databaseUrl);
  const ours = await startService(databaseUrl, join(folder, "data"));
  const peers: MeasuredProcess[] = [];
  const peer = async (path: string, environment = {}): Promise<MeasuredProcess> => {
    const started = await startProcess(path, { environment });
    peers.push(started);
    return started;
  };
  try {
    const subjects = await subjectsOf(ours, peer, { databaseUrl, answerPath: join(folder, "answer.json") });
    return reportCalls(measure(subjects), ours.residentMb());
  } finally {
    for (const server of [ours, ...peers]) await server.stop();
  }
}

/** A workspace with 20,000 invoices and somebody who may read them. */
async function fillWorkspace(databaseUrl: string): Promise<void> {
  const store = await openPostgres(databaseUrl);
  const { tenantId } = await fillLedger(store, randomUUID(), 20_000);
  await operate(testCore(store, systemClock), tenantId, addMember, { ...PERSON, role: "admin" });
  await store.close();
  await analyze(databaseUrl);
}

async function startService(databaseUrl: string, dataDir: string): Promise<MeasuredProcess> {
  const port = await freePort();
  return await startProcess("src/main.ts", {
    environment: {
      PORT: String(port),
      PUBLIC_URL: originOf({ port }),
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEY,
      DATA_DIR: dataDir,
      RATE_LIMITS: "off",
    },
  });
}

const originOf = ({ port }: Pick<MeasuredProcess, "port">): string => `http://127.0.0.1:${port}`;

/** What is measured. The service's rows come first, each followed by that of the stock parts; then the servers that only echo. */
async function subjectsOf(
  ours: MeasuredProcess,
  peer: (path: string, environment?: Readonly<Record<string, string>>) => Promise<MeasuredProcess>,
  { databaseUrl, answerPath }: { databaseUrl: string; answerPath: string },
): Promise<Subject[]> {
  const origin = originOf(ours);
  const { provider, client } = await connectAssistant(`${origin}/mcp`, approveByForms(origin, PERSON));
  await client.close();
  const headers = { ...JSON_HEADERS, authorization: `Bearer ${provider.kept?.access_token}` };
  const context = { headers, body: call("get_context", {}) };
  const list = { headers, body: call("list_invoices", { limit: 25 }) };
  const echo = { headers: JSON_HEADERS, body: call("echo", { text: "hello" }) };
  const stock = await peer("bench/peers/stock-parts.ts", {
    ISSUER: origin,
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY,
  });
  writeFileSync(answerPath, JSON.stringify(await sameAnswer([ours, stock], context)));
  await sameAnswer([ours, stock], list);
  const [ofContext, ofList] = ["get_context of stock parts", "list_invoices of stock parts"];
  return [
    { who: "get_context", beside: ofContext, server: ours, request: context },
    { who: ofContext, server: stock, request: context },
    { who: "list_invoices of 25", beside: ofList, server: ours, request: list },
    { who: ofList, server: stock, request: list },
    { who: "SDK server, echo", server: await peer("bench/peers/bare-sdk.ts"), request: echo },
    { who: "fastmcp, echo", server: await peer("bench/peers/fastmcp.ts"), request: echo },
    {
      who: "node:http, get_context's bytes",
      server: await peer("bench/peers/raw.ts", { BODY: answerPath }),
      request: echo,
    },
  ];
}

function reportCalls(rows: readonly Row[], memory: number): boolean {
  const [context, , list, , sdk] = rows;
  if (!context || !list || !sdk) throw new Error("all were measured");
  const besideSdk = (row: Row): string => (row.cpuMicros / sdk.cpuMicros).toFixed(2);
  return report("calls", {
    note: `10 connections for ${SECONDS} s each in ${ROUNDS} rounds, medians, server and load on a core each; who echoes has neither token nor store`,
    columns: ["who", "req/s", "CPU µs", "× echo", "p50 ms", "p99 ms"],
    rows: rows.map((row) => [
      row.who,
      row.perSecond.toFixed(0),
      row.cpuMicros.toFixed(0),
      besideSdk(row),
      row.p50.toFixed(1),
      row.p99.toFixed(1),
    ]),
    limits: [
      { what: "CPU of get_context / stock parts", value: context.timesPeer, most: 0.6 },
      { what: "CPU of list_invoices / stock parts", value: list.timesPeer, most: 0.75 },
      { what: "memory of the server, MB", value: memory, most: 300 },
    ],
  });
}

/** What both answer to a request. Throws where they do not answer the same. */
async function sameAnswer(
  servers: readonly MeasuredProcess[],
  { headers, body }: Subject["request"],
): Promise<unknown> {
  const ask = async ({ port }: MeasuredProcess): Promise<unknown> =>
    (await fetch(`http://127.0.0.1:${port}/mcp`, { method: "POST", headers, body })).json();
  // The first call of a minute notes its use, which the next one reads.
  for (const server of servers) await ask(server);
  const [one, other] = await Promise.all(servers.map(ask));
  assert.deepStrictEqual(other, one);
  return one;
}

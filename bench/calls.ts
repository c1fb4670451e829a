import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addMember } from "../auth/members.ts";
import { systemClock } from "../src/core/calendar.ts";
import { openPostgres } from "../src/store/database.ts";
import { approveByForms, connectAssistant } from "../test/support/assistant.ts";
import { testCore } from "../test/support/core.ts";
import { freePort } from "../test/support/server.ts";
import { analyze, startDatabase } from "./database.ts";
import { fillLedger } from "./ledger.ts";
import { load, type MeasuredProcess, startProcess } from "./processes.ts";
import { report } from "./report.ts";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const PERSON = { email: "bench@bench.example", password: "a long enough password" };
const JSON_HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

const program = (path: string): string => new URL(path, import.meta.url).pathname;
const call = (name: string, args: object): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });

interface Row {
  who: string;
  perSecond: number;
  cpuMicros: number;
  p50: number;
  p99: number;
}

/** Measures one kind of request: first unmeasured, until everything is compiled. */
function measure(
  who: string,
  server: MeasuredProcess,
  request: { headers: Record<string, string>; body: string },
): Row {
  const url = `http://127.0.0.1:${server.port}/mcp`;
  load({ url, ...request, seconds: Math.ceil(SECONDS / 2) });
  const before = server.cpuMicros();
  const { perSecond, p50, p99, answered } = load({ url, ...request, seconds: SECONDS });
  return { who, perSecond, p50, p99, cpuMicros: (server.cpuMicros() - before) / answered };
}

async function measurePeer(who: string, path: string, body: string, environment = {}): Promise<Row> {
  const server = await startProcess(program(path), { environment });
  try {
    return measure(who, server, { headers: JSON_HEADERS, body });
  } finally {
    await server.stop();
  }
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
  await addMember(core, tenantId, { ...PERSON, role: "admin" });
  await store.close();
  await analyze(databaseUrl);

  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const ours = await startProcess(program("../src/main.ts"), {
    environment: {
      PORT: String(port),
      PUBLIC_URL: origin,
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      DATA_DIR: join(folder, "data"),
      RATE_LIMITS: "off",
    },
  });
  const rows: Row[] = [];
  let memory: number;
  const answer = join(folder, "answer.json");
  try {
    const { provider, client } = await connectAssistant(`${origin}/mcp`, approveByForms(origin, PERSON));
    const headers = { ...JSON_HEADERS, authorization: `Bearer ${provider.kept?.access_token}` };
    const context = call("get_context", {});
    const said = await fetch(`${origin}/mcp`, { method: "POST", headers, body: context });
    writeFileSync(answer, Buffer.from(await said.arrayBuffer()));
    rows.push(measure("get_context", ours, { headers, body: context }));
    rows.push(measure("list_invoices of 25", ours, { headers, body: call("list_invoices", { limit: 25 }) }));
    memory = ours.residentMb();
    await client.close();
  } finally {
    await ours.stop();
  }
  const echo = call("echo", { text: "hello" });
  const bare = await measurePeer("SDK server, as documented", "peers/bare-sdk.ts", echo);
  rows.push(bare, await measurePeer("fastmcp, stateless", "peers/fastmcp.ts", echo));
  const raw = await measurePeer("node:http, get_context's bytes", "peers/raw.ts", echo, { BODY: answer });
  rows.push(raw);

  const [context, list] = rows;
  if (context === undefined || list === undefined) throw new Error("both were measured");
  return report("calls", {
    note: `10 connections for ${SECONDS} s each, server and load on a core each; peers answer without a token or a store`,
    columns: ["who", "req/s", "CPU µs", "× SDK", "p50 ms", "p99 ms"],
    rows: rows.map((row) => [
      row.who,
      row.perSecond.toFixed(0),
      row.cpuMicros.toFixed(0),
      (row.cpuMicros / bare.cpuMicros).toFixed(2),
      row.p50.toFixed(1),
      row.p99.toFixed(1),
    ]),
    limits: [
      { what: "CPU of get_context / SDK server", value: context.cpuMicros / bare.cpuMicros, most: 1 },
      { what: "CPU of list_invoices / SDK server", value: list.cpuMicros / bare.cpuMicros, most: 1.5 },
      { what: "node:http req/s / get_context req/s", value: raw.perSecond / context.perSecond, most: 70_000 / 3_000 },
      { what: "memory of the server, MB", value: memory, most: 300 },
    ],
  });
}

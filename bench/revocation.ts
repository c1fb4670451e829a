import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { addMember } from "../auth/members/add-member.ts";
import { operate } from "../src/core/gate/operator.ts";
import { systemClock } from "../src/core/kernel/calendar.ts";
import { Secrets } from "../src/core/kernel/secrets.ts";
import { connectIntegration } from "../src/core/payment-integrations/operations/connect-integration.ts";
import { paymentProviders } from "../src/core/provider-access/payment-providers.ts";
import { createStripeSimulator } from "../src/simulators/stripe/index.ts";
import { openPostgres } from "../src/store/database.ts";
import { openBook } from "../test/support/book.ts";
import { Browser } from "../test/support/browser.ts";
import { testCore } from "../test/support/core.ts";
import { type HeldProvider, heldProvider } from "../test/support/held-provider.ts";
import { register, signInAndApprove } from "../test/support/oauth-client.ts";
import { freePort } from "../test/support/server.ts";
import { startDatabase } from "./database.ts";
import { AUTOCANNON, startProcess } from "./processes.ts";
import { quantile } from "./quantile.ts";
import { report } from "./report.ts";

const REVOCATIONS = Number(process.env.BENCH_REVOCATIONS ?? 200);
/** Calls a second of other assistants, at each process, all the while. */
const LOAD = Number(process.env.BENCH_LOAD ?? 100);
/** Milliseconds from the answer to the click, of 99 in 100. */
const LIMIT = 100;
/** Callers of the connection that is being revoked, at each process. */
const PROBERS = 2;
/** How long they go on after the answer, to see that nobody is let in again. */
const AFTERWARDS_MS = 150;
const KEY = Buffer.alloc(32, 9);
const PERSON = { email: "bench@bench.example", password: "a long enough password" };

/** What one revocation looked like from outside; milliseconds. */
interface Outcome {
  /** From the click to its answer. */
  answered: number;
  /** From the answer until the slower process had refused a call. */
  refused: number;
  /** From the answer until the open stream had ended; 0 for before it. */
  streamEnded: number;
  /** Calls sent after the answer and let in all the same. */
  letIn: number;
}

/** How long a revoked assistant goes on: two processes on PostgreSQL under load, the click at one, its calls at both. */
export async function run(): Promise<boolean> {
  const database = await startDatabase();
  if (database === null) return true;
  const folder = mkdtempSync(join(tmpdir(), "receivables-bench-"));
  const [port, second] = [await freePort(), await freePort()];
  const origin = `http://localhost:${port}`;
  const start = (own: number) =>
    startProcess("src/main.ts", {
      environment: {
        PORT: String(own),
        PUBLIC_URL: origin,
        DATABASE_URL: database.url,
        DATA_DIR: join(folder, String(own)),
        ENCRYPTION_KEY: KEY.toString("base64"),
        RATE_LIMITS: "off",
      },
    });
  const stripe = createStripeSimulator({ secretKey: "sk_test_1" });
  await stripe.listen();
  const provider = await heldProvider(stripe.url);
  const processes = [await start(port), await start(second)];
  try {
    const scene = await prepare(database.url, origin, provider.url);
    const load = [port, second].map((own) => startLoad(own, origin, scene.spare));
    const outcomes: Outcome[] = [];
    for (const target of scene.targets)
      outcomes.push(await revoke({ origin, ports: [port, second], provider, target, click: scene.click }));
    for (const child of load) child.kill();
    return told(outcomes);
  } finally {
    await provider.close();
    for (const process of processes) await process.stop();
    await stripe.close();
    rmSync(folder, { recursive: true, force: true });
    await database.stop();
  }
}

interface Target {
  connectionId: string;
  token: string;
  /** Arguments of a call that makes two links. */
  links: object;
}

/** A person with as many connections as will be revoked, one more that stays, and the page they click on. */
async function prepare(databaseUrl: string, origin: string, apiBase: string) {
  const store = await openPostgres(databaseUrl);
  const secrets = new Secrets(KEY);
  const payments = paymentProviders({ secrets, clock: systemClock, sandboxAt: null });
  const core = { ...testCore(store, systemClock), checksOutputs: false, secrets, payments };
  const book = await openBook(store);
  await operate(core, book.tenantId, addMember, { ...PERSON, role: "admin" });
  const keys = { secretKey: "sk_test_1", webhookSecret: "whsec_bench" };
  await operate(core, book.tenantId, connectIntegration, { provider: "stripe", currencies: ["USD"], keys, apiBase });
  const client = await register(origin);
  const browser = new Browser(origin);
  const approve = async () => (await signInAndApprove(origin, { ...PERSON, client, browser })).accessToken;
  const targets: Target[] = [];
  for (let count = 0; count < REVOCATIONS; count += 1) {
    const { invoice, installments } = await book.invoice({ customer_email: "billing@bench.example" }, [
      { original_amount: "100.00" },
      { original_amount: "100.00" },
    ]);
    const links = installments.map(({ installment_id }) => ({ invoice_id: invoice.invoice_id, installment_id }));
    const token = await approve();
    const { connection_id: connectionId }: { connection_id: string } = JSON.parse(
      Buffer.from(token.split(".")[1] ?? "", "base64url").toString(),
    );
    targets.push({ connectionId, token, links: { links, idempotency_key: randomUUID() } });
  }
  const spare = await approve();
  await store.close();
  const { html } = await browser.open("/connections");
  const cookie = ["session", "browser"].map((name) => `${name}=${browser.cookie(name)}`).join("; ");
  const click = ({ connectionId }: Target): Promise<IncomingMessage> => {
    const action = `/connections/${connectionId}/revoke`;
    const form = html.split("<form").find((text) => text.includes(action)) ?? "";
    const token = /name="form_token" value="([^"]+)"/.exec(form)?.[1] ?? "";
    const headers = { cookie, origin, "content-type": "application/x-www-form-urlencoded" };
    return send(`${origin}${action}`, headers, `form_token=${token}`);
  };
  return { targets, spare, click };
}

const agent = new Agent({ keepAlive: true });

async function send(url: string, headers: Record<string, string>, body: string): Promise<IncomingMessage> {
  const sent = request(url, { method: "POST", headers, agent });
  sent.end(body);
  const [response]: IncomingMessage[] = await once(sent, "response");
  if (response === undefined) throw new Error("no answer");
  return response;
}

/** A tool's call at any process of the service at `origin`. */
function toolCall(origin: string, token: string, params: object) {
  const headers = {
    host: new URL(origin).host,
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  return { headers, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }) };
}

function call(port: number, origin: string, token: string, name: string, args: object): Promise<IncomingMessage> {
  const { headers, body } = toolCall(origin, token, { name, arguments: args, _meta: { progressToken: "p" } });
  return send(`http://127.0.0.1:${port}/mcp`, headers, body);
}

/** Other assistants' calls at a process, at a steady rate, from a process of their own. */
function startLoad(port: number, origin: string, token: string): ChildProcess {
  const { headers, body } = toolCall(origin, token, { name: "list_invoices", arguments: {} });
  const given = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}=${value}`]);
  const steady = ["-c", "4", "-R", String(LOAD), "-d", "3600", "-m", "POST"];
  return spawn(process.execPath, [AUTOCANNON, ...steady, ...given, "-b", body, `http://127.0.0.1:${port}/mcp`], {
    stdio: "ignore",
  });
}

interface Revocation {
  origin: string;
  ports: readonly number[];
  provider: HeldProvider;
  target: Target;
  click: (target: Target) => Promise<IncomingMessage>;
}

async function revoke({ origin, ports, provider, target, click }: Revocation): Promise<Outcome> {
  provider.hold(1);
  const streaming = await call(ports[1] ?? 0, origin, target.token, "create_payment_links", target.links);
  if (streaming.headers["content-type"] !== "text/event-stream") throw new Error("the call does not stream");
  const streamEnded = once(streaming.resume(), "end").then(() => performance.now());

  const calls: { port: number; sent: number; answered: number; status: number }[] = [];
  let stopped = false;
  const probers = ports.flatMap((port) =>
    Array.from({ length: PROBERS }, async () => {
      while (!stopped) {
        const sent = performance.now();
        const response = await call(port, origin, target.token, "get_context", {});
        const answered = performance.now();
        await once(response.resume(), "end");
        calls.push({ port, sent, answered, status: response.statusCode ?? 0 });
      }
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, 50));
  const begun = performance.now();
  const answer = await click(target);
  const clicked = performance.now();
  answer.resume();
  if (answer.statusCode !== 303) throw new Error(`the click was answered ${answer.statusCode}`);
  const ended = await streamEnded;
  await new Promise((resolve) => setTimeout(resolve, AFTERWARDS_MS));
  stopped = true;
  await Promise.all(probers);
  provider.release();
  const refusals = ports.map((port) => {
    const refused = calls.filter((one) => one.port === port && one.status === 401 && one.answered >= clicked);
    return Math.min(...refused.map(({ answered }) => answered));
  });
  return {
    answered: clicked - begun,
    refused: Math.max(...refusals) - clicked,
    streamEnded: Math.max(0, ended - clicked),
    letIn: calls.filter(({ sent, status }) => status === 200 && sent > clicked).length,
  };
}

function told(outcomes: readonly Outcome[]): boolean {
  const kinds = [
    { what: "the answer until the first refused request, at the slower process", of: "refused" },
    { what: "the answer until the end of an open stream", of: "streamEnded" },
  ] as const;
  const valuesOf = (of: keyof Outcome): number[] => outcomes.map((outcome) => outcome[of]);
  const rows = [{ what: "the click until its answer", of: "answered" } as const, ...kinds];
  const letIn = outcomes.reduce((sum, outcome) => sum + outcome.letIn, 0);
  return report("revocation", {
    note: `${outcomes.length} revocations, two processes on PostgreSQL, ${LOAD} other calls a second at each; ms`,
    columns: ["from", "p50", "p99", "most"],
    rows: rows.map(({ what, of }) => [
      what,
      ...[0.5, 0.99, 1].map((share) => quantile(valuesOf(of), share).toFixed(2)),
    ]),
    limits: [
      ...kinds.map(({ what, of }) => ({ what: `p99 from ${what}`, value: quantile(valuesOf(of), 0.99), most: LIMIT })),
      { what: "requests let in that were sent after the answer", value: letIn, most: 0 },
    ],
  });
}

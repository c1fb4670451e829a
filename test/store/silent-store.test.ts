import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openPostgres } from "../../src/store/database.ts";
import { NOTICES_MISSED, STORE_LOST, type Store } from "../../src/store/store.ts";
import { openBook } from "../support/book.ts";
import type { Browser } from "../support/browser.ts";
import { testCore } from "../support/core.ts";
import { signInAndApprove } from "../support/oauth-client.ts";
import { PASSWORD, peopleOf } from "../support/people.ts";
import { HAS_POOLER, startPooler } from "../support/poolers.ts";
import { startPostgres, type ThrowawayPostgres } from "../support/postgres.ts";
import { newKey } from "../support/rest-app.ts";
import { freePort, type ServerProcess, spawnServer, startServer } from "../support/server.ts";

/** What every call is answered within, whatever has become of the store. */
const CALL_MS = 10_000;
const READY_MS = 5_000;
const LISTENER_MS = 45_000;

interface Answered {
  status: number;
  retryAfter: string | null;
  type: string;
  text: string;
}

/** Asks, and fails where no answer comes in time. */
async function ask(url: string, init: RequestInit = {}, withinMs = CALL_MS): Promise<Answered> {
  const response = await fetch(url, { redirect: "manual", ...init, signal: AbortSignal.timeout(withinMs) });
  const [retryAfter, type] = ["Retry-After", "Content-Type"].map((name) => response.headers.get(name));
  return { status: response.status, retryAfter: retryAfter ?? null, type: type ?? "", text: await response.text() };
}

async function withinTime<T>(answer: Promise<T>): Promise<T> {
  const late = sleep(CALL_MS, null, { ref: false });
  const first = await Promise.race([answer, late]);
  if (first === null) throw new Error("no answer in time");
  return first;
}

describe.skipIf(inject("postgresUrl") === null)("a PostgreSQL that stops answering", () => {
  const folder = mkdtempSync(join(tmpdir(), "receivables-silent-"));
  let postgres: ThrowawayPostgres;
  let databaseUrl: string;
  let store: Store;
  let server: ServerProcess;
  let metricsPort: number;
  let key: string;
  let token: string;
  let browser: Browser;

  beforeAll(async () => {
    const started = await startPostgres();
    if (started === null) throw new Error("there is no PostgreSQL");
    postgres = started;
    databaseUrl = `${postgres.url}postgres`;
    store = await openPostgres(databaseUrl);
    const core = testCore(store, { now: () => new Date() });
    const { tenantId } = await openBook(store);
    key = await newKey(core, tenantId);
    const { email } = await peopleOf(core).addPerson(tenantId);
    const environment = { DATABASE_URL: databaseUrl, ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64") };
    metricsPort = await freePort();
    server = await startServer(folder, {
      ...environment,
      DEMO: "off",
      RATE_LIMITS: "off",
      METRICS_PORT: String(metricsPort),
    });
    ({ accessToken: token, browser } = await signInAndApprove(server.url, { email, password: PASSWORD }));
  }, 120_000);

  afterAll(async () => {
    postgres.thaw();
    await server.stop();
    await store.close();
    postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const bearer = () => ({ headers: { Authorization: `Bearer ${key}` } });
  const everyFace = () =>
    Promise.all([
      ask(`${server.url}/v1/invoices`, bearer()),
      ask(`${server.url}/v1/me`, bearer()),
      ask(`${server.url}/mcp`, mcpCall(token)),
      withinTime(browser.open("/connections")),
      ask(`${server.url}/readyz`, {}, READY_MS),
    ]);

  async function expectRefusals(): Promise<void> {
    const [list, me, assistant, page, ready] = await everyFace();
    for (const answer of [list, me]) {
      expect(answer).toMatchObject({ status: 500, retryAfter: expect.stringMatching(/^\d+$/) });
      expect(JSON.parse(answer.text)).toMatchObject({ error: { code: "internal_error" } });
    }
    expect(assistant).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) });
    expect(JSON.parse(assistant.text)).toMatchObject({ id: null, error: { code: -32603 } });
    expect(page.status).toBe(503);
    expect(page.headers.get("Retry-After")).toMatch(/^\d+$/);
    expect(page.headers.get("Content-Type")).toContain("text/html");
    expect(ready.status).toBe(503);
  }

  async function expectService(): Promise<void> {
    await expect
      .poll(() => ask(`${server.url}/readyz`).then(({ status }) => status), { timeout: LISTENER_MS })
      .toBe(200);
    expect((await ask(`${server.url}/v1/invoices`, bearer())).status).toBe(200);
    expect((await ask(`${server.url}/mcp`, mcpCall(token))).status).toBe(200);
  }

  it("has every call answered within ten seconds, and the next ones sooner; and goes on as it goes on [contract.outage.silent]", {
    timeout: 120_000,
  }, async () => {
    await expectService();
    postgres.freeze();
    try {
      await expectRefusals();
      // Whoever asks meanwhile does not wait for what is known.
      for (let times = 0; times < 3; times += 1) await expectRefusals();
      await sleep(2_000);
    } finally {
      postgres.thaw();
    }
    await expectService();
  });

  it("ends a start with one line [contract.outage.silent]", { timeout: 60_000 }, async () => {
    postgres.freeze();
    const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64");
    const run = spawnServer({ DATABASE_URL: databaseUrl, ENCRYPTION_KEY, DATA_DIR: folder, PORT: "0", DEMO: "off" });
    try {
      expect(await run.exited).toBe(1);
      expect(run.stderr()).toBe("DATABASE_URL: the database does not answer\n");
    } finally {
      postgres.thaw();
    }
  });

  it("is told of in a few lines, however long it lasts [contract.outage.log]", { timeout: 120_000 }, async () => {
    await expectService();
    const before = server.stderr().length;
    postgres.freeze();
    try {
      await sleep(10_000);
      // The store is known to be away by now: each of these fails at once.
      for (let times = 0; times < 100; times += 1) await ask(`${server.url}/v1/invoices`, bearer());
      await sleep(10_000);
    } finally {
      postgres.thaw();
    }
    await expectService();
    const lines = server
      .stderr()
      .slice(before)
      .split("\n")
      .filter((line) => line !== "" && !line.includes('"msg":"request"'));
    expect(lines.filter((line) => line.includes('"store.lost"'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('"store.back"'))).toHaveLength(1);
    expect(lines.length, lines.join("\n")).toBeLessThan(60);
    expect(lines.filter((line) => line.includes('"stack"'))).toEqual([]);
    expect(lines.some((line) => line.includes('"reason"'))).toBe(true);
  });

  it("holds up nobody who asks for metrics, and is told of in them [contract.operation.metrics]", {
    timeout: 60_000,
  }, async () => {
    const metrics = () => ask(`http://127.0.0.1:${metricsPort}/metrics`, {}, 4_000);
    await expectService();
    expect((await metrics()).text).toMatch(/^receivables_store_up 1$/m);
    // What was read before is told for ten seconds more.
    await sleep(11_000);
    postgres.freeze();
    try {
      const { text } = await metrics();
      expect(text).toMatch(/^receivables_store_up 0$/m);
      expect(text).toContain("process_memory_usage");
    } finally {
      postgres.thaw();
    }
  });

  it("has every call answered with Retry-After while it is away altogether [contract.outage.away]", {
    timeout: 120_000,
  }, async () => {
    await expectService();
    await postgres.halt("immediate");
    try {
      await expectRefusals();
    } finally {
      await postgres.resume();
    }
    await expectService();
  });

  it.skipIf(!HAS_POOLER)(
    "is lost once behind a pooler, however long it is away [contract.outage.log]",
    { timeout: 120_000 },
    async () => {
      const pooler = await startPooler(databaseUrl);
      const pooled = await openPostgres(pooler.urlOf("postgres"), { directUrl: databaseUrl });
      const told: string[] = [];
      const stop = pooled.subscribe(({ topic }) => void told.push(topic));
      await postgres.halt("immediate");
      try {
        await expect.poll(() => told, { timeout: LISTENER_MS }).toContain(STORE_LOST);
        await sleep(6_000);
        expect(told).not.toContain(NOTICES_MISSED);
      } finally {
        await postgres.resume();
        stop();
        await pooled.close();
        await pooler.stop();
      }
      await expectService();
    },
  );

  it("has a listener that hears nothing noticed and opened again, and nobody let in meanwhile who could not be stopped [contract.outage.listener]", {
    timeout: 120_000,
  }, async () => {
    await expectService();
    const told: string[] = [];
    const stop = store.subscribe(({ topic }) => void told.push(topic));
    postgres.freeze();
    try {
      await expect.poll(() => told, { timeout: LISTENER_MS }).toContain(STORE_LOST);
      expect(store.isDeaf).toBe(true);
      expect(() => store.assertHearing()).toThrow();
    } finally {
      postgres.thaw();
    }
    await expect.poll(() => told, { timeout: LISTENER_MS }).toContain(NOTICES_MISSED);
    expect(store.isDeaf).toBe(false);
    told.length = 0;
    await store.publish({ topic: "word", payload: "" });
    await expect.poll(() => told).toEqual(["word"]);
    stop();
  });
});

function mcpCall(token: string): RequestInit {
  return {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      Accept: "application/json, text/event-stream",
      "Content-Type": "application/json",
      "MCP-Protocol-Version": "2025-06-18",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "get_context", arguments: {} },
    }),
  };
}

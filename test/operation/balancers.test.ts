import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { openPostgres } from "../../src/store/database.ts";
import { BALANCERS } from "../support/balancers.ts";
import { openBook } from "../support/book.ts";
import { newAuthority } from "../support/certificates.ts";
import { testCore } from "../support/core.ts";
import { newKey } from "../support/rest-app.ts";
import { freePort, type ServerProcess, startServer } from "../support/server.ts";
import { createDatabase } from "../support/stores.ts";

const DEPLOY = resolve(import.meta.dirname, "../../deploy");
const HOST = "localhost";
const REQUESTS = 1_000;
const ROLLS = 3;
const CALLERS = 3;
const PAUSE_MS = 100;

const authority = newAuthority("An authority of our own");

/** What a balancer is told of this machine, in place of what its file ships with. */
interface Places {
  readonly folder: string;
  readonly port: number;
  readonly processes: readonly number[];
}

/** The text with every one of these replaced; each has to be in it. */
function replaced(shipped: string, by: readonly (readonly [from: string, to: string])[]): string {
  return by.reduce((now, [from, to]) => {
    expect(now, from).toContain(from);
    return now.replaceAll(from, to);
  }, shipped);
}

const SHIPPED = [
  {
    program: BALANCERS.haproxy,
    file: "haproxy.cfg",
    scheme: "http",
    args: (path: string) => ["-db", "-f", path],
    async settle(shipped: string, { port, processes: [a, b] }: Places) {
      return replaced(shipped, [
        ["0.0.0.0:3000", `127.0.0.1:${port}`],
        ["0.0.0.0:5432", `127.0.0.1:${await freePort()}`],
        ["0.0.0.0:8404", `127.0.0.1:${await freePort()}`],
        ["receivables-a:3000", `127.0.0.1:${a}`],
        ["receivables-b:3000", `127.0.0.1:${b}`],
        ["postgres-a:5432", "127.0.0.1:1"],
        ["postgres-b:5432", "127.0.0.1:1"],
      ]);
    },
  },
  {
    program: BALANCERS.nginx,
    file: "nginx.conf",
    scheme: "https",
    args: (path: string) => ["-e", "stderr", "-g", "daemon off;", "-c", path],
    async settle(shipped: string, { folder, port, processes: [a, b] }: Places) {
      return replaced(shipped, [
        ["listen 443", `listen 127.0.0.1:${port}`],
        ["receivables.example.com", HOST],
        ["/run/nginx.pid", join(folder, "nginx.pid")],
        ["/etc/receivables/tls", folder],
        ["10.0.0.11:3000", `127.0.0.1:${a}`],
        ["10.0.0.12:3000", `127.0.0.1:${b}`],
      ]);
    },
  },
  {
    program: BALANCERS.caddy,
    file: "Caddyfile",
    scheme: "https",
    args: (path: string) => ["run", "--config", path, "--adapter", "caddyfile"],
    async settle(shipped: string, { folder, port, processes: [a, b] }: Places) {
      const certificate = `tls ${join(folder, "fullchain.pem")} ${join(folder, "privkey.pem")}`;
      const settings = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n";
      return `${settings}${replaced(shipped, [
        ["receivables.example.com {", `https://${HOST}:${port} {\n\t${certificate}`],
        ["10.0.0.11:3000", `127.0.0.1:${a}`],
        ["10.0.0.12:3000", `127.0.0.1:${b}`],
      ])}`;
    },
  },
] as const;

/** A balancer that runs, and the outcome of the requests through it. */
interface Running {
  readonly child: ChildProcess;
  readonly said: string[];
  readonly answered: Map<string, number>;
  readonly lost: string[];
}

describe.skipIf(inject("postgresUrl") === null)("two processes of the service, restarted in turn", () => {
  const folder = mkdtempSync(join(tmpdir(), "receivables-balancers-"));
  const running = new Map<string, Running>();
  const stops: { code: number | null; ms: number }[] = [];
  let end = async (): Promise<void> => undefined;

  beforeAll(async () => {
    const { databaseUrl, drop } = await createDatabase();
    const processes = [await freePort(), await freePort()];
    const started: ServerProcess[] = [];
    const start = (place: number): Promise<ServerProcess> =>
      startServer(join(folder, String(place)), {
        PORT: String(processes[place]),
        PUBLIC_URL: `https://${HOST}`,
        DATABASE_URL: databaseUrl,
        ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
        TRUSTED_PROXIES: "1",
        RATE_LIMITS: "off",
        LOG_LEVEL: "warn",
        // The default.
        SHUTDOWN_DELAY_SECONDS: "",
      });
    end = async () => {
      for (const { child } of running.values()) child.kill("SIGTERM");
      await Promise.all(started.map((one) => one.kill()));
      await drop();
    };
    for (const place of processes.keys()) started[place] = await start(place);
    const key = await keyOf(databaseUrl);
    const { cert, key: privateKey } = authority.issue(HOST);
    writeFileSync(join(folder, "fullchain.pem"), cert);
    writeFileSync(join(folder, "privkey.pem"), privateKey);

    let isOver = false;
    const calling = SHIPPED.filter(({ program }) => existsSync(program)).map(async (balancer) => {
      const { program, file, scheme, args, settle } = balancer;
      const port = await freePort();
      const path = join(folder, file);
      writeFileSync(path, await settle(readFileSync(join(DEPLOY, file), "utf8"), { folder, port, processes }));
      const said: string[] = [];
      const child = spawn(program, args(path), {
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...process.env, HOME: folder },
      });
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => said.push(String(chunk)));
      const found: Running = { child, said, answered: new Map(), lost: [] };
      running.set(file, found);
      const ask = asking({ scheme, port, key });
      const isThere = async (): Promise<boolean> => (await ask("GET").catch(String)) === "200";
      await vi.waitUntil(isThere, { timeout: 90_000, interval: 100 });
      let asked = 0;
      const call = async (): Promise<void> => {
        while (!isOver || asked < REQUESTS) {
          asked += 1;
          const method = asked % 2 === 0 ? "GET" : "POST";
          const outcome = await ask(method).catch((error: unknown) => `failed: ${String(error)}`);
          if (outcome === (method === "GET" ? "200" : "404"))
            found.answered.set(method, (found.answered.get(method) ?? 0) + 1);
          else found.lost.push(`${method}: ${outcome}`);
          await sleep(PAUSE_MS);
        }
      };
      return () => Promise.all(Array.from({ length: CALLERS }, call));
    });
    const calls = (await Promise.all(calling)).map((begin) => begin());
    for (let roll = 0; roll < ROLLS; roll += 1)
      for (const place of processes.keys()) {
        const begun = performance.now();
        const code = (await started[place]?.stop()) ?? null;
        stops.push({ code, ms: performance.now() - begun });
        started[place] = await start(place);
      }
    isOver = true;
    await Promise.all(calls);
  }, 300_000);
  afterAll(async () => {
    await end();
    rmSync(folder, { recursive: true, force: true });
  });

  it("take five seconds and no more than ten to stop, each with 0 [contract.operation.rolling]", () => {
    expect(stops).toHaveLength(2 * ROLLS);
    for (const { code, ms } of stops) {
      expect(code).toBe(0);
      expect(ms).toBeGreaterThan(5_000);
      expect(ms).toBeLessThan(10_000);
    }
  });

  for (const { file, program } of SHIPPED)
    it.skipIf(!existsSync(program))(
      `lose no request behind deploy/${file}, reads and writes [contract.operation.rolling]`,
      () => {
        const { answered, lost, said, child } = running.get(file) ?? {};
        expect({ lost, said: lost?.length === 0 ? [] : said }).toEqual({ lost: [], said: [] });
        expect(child?.exitCode).toBeNull();
        expect((answered?.get("GET") ?? 0) + (answered?.get("POST") ?? 0)).toBeGreaterThanOrEqual(REQUESTS);
        expect(answered?.get("POST")).toBeGreaterThan(0);
      },
    );
});

async function keyOf(databaseUrl: string): Promise<string> {
  const store = await openPostgres(databaseUrl);
  const { tenantId } = await openBook(store);
  const key = await newKey(testCore(store), tenantId);
  await store.close();
  return key;
}

interface Way {
  readonly scheme: "http" | "https";
  readonly port: number;
  readonly key: string;
}

/** Asks for the caller's own context, or to sync what there is not; answers the status of what the service itself answered. */
function asking({ scheme, port, key }: Way): (method: "GET" | "POST") => Promise<string> {
  const agent =
    scheme === "http" ? new HttpAgent({ keepAlive: true }) : new HttpsAgent({ keepAlive: true, ca: authority.cert });
  const open = scheme === "http" ? httpRequest : httpsRequest;
  return async (method) => {
    const path = method === "GET" ? "/v1/me" : `/v1/erp-connections/${randomUUID()}/sync`;
    const headers = { host: HOST, authorization: `Bearer ${key}`, "idempotency-key": randomUUID() };
    const { promise, resolve: answer, reject } = Promise.withResolvers<IncomingMessage>();
    open({ host: "127.0.0.1", servername: HOST, port, path, method, headers, agent }, answer)
      .once("error", reject)
      .end();
    const response = await promise;
    const body = await text(response);
    if (response.headers["x-request-id"] === undefined)
      return `${response.statusCode} of the balancer: ${body.slice(0, 100)}`;
    return String(response.statusCode);
  };
}

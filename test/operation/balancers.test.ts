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
const replaced = (shipped: string, by: readonly (readonly [from: string, to: string])[]): string =>
  by.reduce((now, [from, to]) => {
    expect(now, from).toContain(from);
    return now.replaceAll(from, to);
  }, shipped);

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
  readonly way: Way;
  readonly child: ChildProcess;
  readonly said: string[];
  readonly answered: Map<string, number>;
  readonly lost: string[];
}

describe.skipIf(inject("postgresUrl") === null)("two processes of the service, restarted in turn", () => {
  const folder = mkdtempSync(join(tmpdir(), "receivables-balancers-"));
  const running = new Map<string, Running>();
  const stops: { code: number | null; ms: number }[] = [];
  let straight: Way | undefined;
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
      const way = { scheme, port, key };
      const found: Running = { way, child, said, answered: new Map(), lost: [] };
      running.set(file, found);
      const ask = asking(way);
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
    straight = { scheme: "http", port: processes[0] ?? 0, key };
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

  it("hand on bodies in thousands of pieces of one byte as a few large ones [contract.operation.pieces]", async () => {
    if (straight === undefined) throw new Error("no process was started");
    const inPieces = (way: Way): Promise<string> => asking(way)("POST", `{${" ".repeat(20_000)}}`);
    await expect(inPieces(straight)).rejects.toThrow(/ECONNRESET|EPIPE|socket hang up/);
    for (const [file, { way }] of running) expect(await inPieces(way).catch(String), file).toBe("404");
  });
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
function asking({ scheme, port, key }: Way) {
  const agent =
    scheme === "http" ? new HttpAgent({ keepAlive: true }) : new HttpsAgent({ keepAlive: true, ca: authority.cert });
  const open = scheme === "http" ? httpRequest : httpsRequest;
  return async (method: "GET" | "POST", sent = ""): Promise<string> => {
    const path = method === "GET" ? "/v1/me" : `/v1/erp-connections/${randomUUID()}/sync`;
    const headers = { host: HOST, authorization: `Bearer ${key}`, "idempotency-key": randomUUID() };
    const ofBody = sent === "" ? {} : { "content-type": "application/json" };
    const { promise, resolve: answer, reject } = Promise.withResolvers<IncomingMessage>();
    const to = { host: "127.0.0.1", servername: HOST, port, path, method, agent };
    const request = open({ ...to, headers: { ...headers, ...ofBody } }, answer);
    request.once("error", reject);
    for (const piece of sent) request.write(piece);
    request.end();
    const response = await promise;
    const body = await text(response);
    const isOurs = response.headers["x-request-id"] !== undefined;
    return isOurs ? String(response.statusCode) : `${response.statusCode} of the balancer: ${body.slice(0, 100)}`;
  };
}

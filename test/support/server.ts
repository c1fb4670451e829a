import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");
/** Where `npm start` keeps what it compiled. */
const COMPILED = join(ROOT, "node_modules/.cache/receivables");

/** What every process a test starts has in its environment. */
export const BARE_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? "",
  NODE_COMPILE_CACHE: COMPILED,
  // Nobody has to see on /readyz that a process of a test stops.
  SHUTDOWN_DELAY_SECONDS: "0",
};

/** The service as a process of its own, as a user starts it. */
export interface ServerProcess {
  url: string;
  mcpUrl: string;
  dataDir: string;
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Sends SIGTERM and waits; resolves to the exit code. */
  stop(): Promise<number | null>;
  /** kill -9. */
  kill(): Promise<void>;
}

/** A free loopback port. */
export function freePort(): Promise<number> {
  return new Promise((resolvePort, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolvePort(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/**
 * Flags of Node: a test ends long before V8 has gained what optimising the embedded store costs, two seconds and 600 MB;
 * and a start has no garbage to collect yet.
 */
export const SHORT_LIVED = ["--no-wasm-code-gc", "--liftoff-only", "--min-semi-space-size=16"];

/** Runs `node src/main.ts`, with these flags of Node and settings over an otherwise empty environment, without waiting for anything. */
export function spawnServer(
  environment: Readonly<Record<string, string>>,
  flags: readonly string[] = SHORT_LIVED,
): {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  exited: Promise<number | null>;
} {
  const child = spawn(process.execPath, [...flags, "src/main.ts"], {
    cwd: ROOT,
    env: { ...BARE_ENVIRONMENT, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  const exited = new Promise<number | null>((resolveExit) => child.once("exit", (code) => resolveExit(code)));
  return { child, stdout: () => stdout, stderr: () => stderr, exited };
}

/** Starts the service and waits until it says it is ready. */
export async function startServer(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
  flags: readonly string[] = SHORT_LIVED,
): Promise<ServerProcess> {
  const port = environment.PORT ?? String(await freePort());
  const run = spawnServer({ PORT: port, DATA_DIR: dataDir, ...environment }, flags);
  await new Promise<void>((resolveReady, reject) => {
    run.child.stdout?.on("data", () => {
      if (run.stdout().includes("is ready")) resolveReady();
    });
    run.exited.then((code) => reject(new Error(`the server ended with ${code}: ${run.stderr()}`)));
  });
  const url = `http://localhost:${port}`;
  return {
    url,
    mcpUrl: `${url}/mcp`,
    dataDir,
    child: run.child,
    stdout: run.stdout,
    stderr: run.stderr,
    async stop() {
      run.child.kill("SIGTERM");
      return run.exited;
    },
    async kill() {
      run.child.kill("SIGKILL");
      await run.exited;
    },
  };
}

/** The demo's credentials, as the service wrote them. */
export interface DemoCredentials {
  base_url: string;
  mcp_url: string;
  people: { email: string; password: string; workspace: string; role: "admin" | "member" }[];
  api_keys: { workspace: string; name: string; permission: "admin" | "readonly"; key: string }[];
}

export function readDemo(dataDir: string): DemoCredentials {
  return JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8"));
}

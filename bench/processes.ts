import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { freePort } from "../test/support/server.ts";
import { startScript } from "../test/support/start-script.ts";

/** A server under test or beside it, on a core of its own where there are several. */
export interface MeasuredProcess {
  port: number;
  /** CPU time it has used, in microseconds, all its threads. */
  cpuMicros(): number;
  /** Memory it holds now, in MB. */
  residentMb(): number;
  /** The most memory it ever held, as the kernel counts it. */
  peakMb(): number;
  stop(): Promise<void>;
}

const isPinned = availableParallelism() > 1 && spawnSync("taskset", ["-V"]).status === 0;
/** Puts a program on one core. */
const onCore = (core: number | null, command: string[]): string[] =>
  isPinned && core !== null ? ["taskset", "-c", String(core), ...command] : command;

const { environment: ENVIRONMENT, flags: FLAGS } = startScript();
/** Compiled code is kept below the folder that `npm start` runs in; programs are named from there. */
export const ROOT = join(import.meta.dirname, "..");
/** The program that sends load, to be run by Node. */
export const AUTOCANNON = join(import.meta.dirname, "node_modules/autocannon/autocannon.js");

/** Kernel ticks a second, in which Linux counts CPU time. */
const TICKS = 100;

interface Start {
  environment?: Readonly<Record<string, string>>;
  args?: string[];
  /** What it says once it listens. */
  says?: string;
  /** The core it runs on; null for any. */
  core?: number | null;
}

/**
 * Starts a program, named by its path in this repository and told by `PORT` (and `--port` beside other arguments) where to
 * listen, and waits until it does.
 */
export async function startProcess(
  program: string,
  { environment = {}, args: given = [], says = "is ready", core = 0 }: Start = {},
): Promise<MeasuredProcess> {
  const port = Number(environment.PORT ?? (await freePort()));
  const portOption = given.length === 0 ? [] : ["--port", String(port)];
  const [command = "", ...args] = onCore(core, [process.execPath, ...FLAGS, program, ...portOption, ...given]);
  const child = spawn(command, args, {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      ...ENVIRONMENT,
      NODE_ENV: "production",
      LOG_LEVEL: "warn",
      ...environment,
      PORT: String(port),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await whenReady(child, program, says);
  const stat = (): string[] =>
    readFileSync(`/proc/${child.pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
  return {
    port,
    cpuMicros: () => ((Number(stat()[11]) + Number(stat()[12])) / TICKS) * 1e6,
    residentMb: () => (Number(stat()[21]) * 4_096) / 1e6,
    peakMb: () => {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      return (Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024) / 1e6;
    },
    async stop() {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

async function whenReady(child: ChildProcess, program: string, says: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let said = "";
    child.stdout?.on("data", (chunk) => {
      said += String(chunk);
      if (said.includes(says)) resolve();
    });
    child.once("exit", (code) => reject(new Error(`${program} ended with ${code}`)));
  });
}

/** What a request looks like, over and over. */
export interface Load {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  seconds: number;
}

/** What came back of it. */
export interface LoadResult {
  perSecond: number;
  p50: number;
  p99: number;
  answered: number;
}

const CONNECTIONS = 10;

/** Sends the same POST over ten connections from another core. Rejects when anything but 200 came back. */
export function load({ url, headers, body, seconds }: Load): LoadResult {
  const given = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}=${value}`]);
  const options = [
    "-j",
    "-n",
    "-c",
    String(CONNECTIONS),
    "-d",
    String(seconds),
    "-m",
    "POST",
    ...given,
    "-b",
    body,
    url,
  ];
  const [command = "", ...args] = onCore(1, [process.execPath, AUTOCANNON, ...options]);
  const report = JSON.parse(execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  if (report.non2xx > 0 || report.errors > 0)
    throw new Error(`${url}: ${report.non2xx} refused, ${report.errors} failed`);
  const { requests, latency } = report;
  return { perSecond: requests.average, p50: latency.p50, p99: latency.p99, answered: report["2xx"] };
}

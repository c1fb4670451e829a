import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { type Balancer, startBalancer } from "./balancer.ts";
import { freePort, type ServerProcess, startServer } from "./server.ts";

/** The key every process of a fleet is given, as `ENCRYPTION_KEY` and in the test's own hands. */
export const FLEET_KEY = Buffer.alloc(32, 7);

/** How a process that was told to stop ended. */
export interface Ending {
  code: number | null;
  ms: number;
}

/** Several processes of the service behind one address. */
export interface Fleet {
  /** Where clients reach it, whichever process answers. */
  readonly url: string;
  readonly balancer: Balancer;
  readonly size: number;
  /** The process at a place; it may have ended. */
  at(place: number): ServerProcess;
  /** kill -9. */
  kill(place: number): Promise<void>;
  /** SIGTERM; resolves when the process has ended. */
  stop(place: number): Promise<Ending>;
  /** A new process in the place of one that ended. */
  start(place: number): Promise<void>;
  /** What the processes, those that ended too, logged as errors: how often each. */
  errors(): Map<string, number>;
  /** Ends whatever runs. */
  close(): Promise<void>;
}

/**
 * Starts `size` of them on one store; they find each other through nothing else. `flags` are Node's, where not those of
 * processes that live short.
 */
export async function startFleet(
  size: number,
  environment: Readonly<Record<string, string>>,
  flags?: readonly string[],
): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), "receivables-fleet-"));
  const balancer = await startBalancer();
  const url = `http://localhost:${balancer.port}`;
  const places = await Promise.all(
    Array.from({ length: size }, async (_, place) => ({ port: await freePort(), folder: join(folder, String(place)) })),
  );
  const processes: (ServerProcess | undefined)[] = [];
  const lives: ServerProcess[] = [];
  const at = (place: number): ServerProcess => {
    const found = processes[place];
    if (found === undefined) throw new Error(`no process at ${place}`);
    return found;
  };
  const start = async (place: number): Promise<void> => {
    const { port, folder: own } = places[place] ?? { port: 0, folder };
    const settings = {
      ENCRYPTION_KEY: FLEET_KEY.toString("base64"),
      LOG_LEVEL: "warn",
      DEMO: "off",
      ...environment,
      PORT: String(port),
      PUBLIC_URL: url,
    };
    const started = await startServer(environment.DATA_DIR ?? own, settings, flags);
    processes[place] = started;
    lives.push(started);
  };
  const fleet: Fleet = {
    url,
    balancer,
    size,
    at,
    start,
    kill: (place) => at(place).kill(),
    async stop(place) {
      const begun = performance.now();
      return { code: await at(place).stop(), ms: performance.now() - begun };
    },
    errors() {
      const counts = new Map<string, number>();
      for (const error of lives.flatMap((life) => errorsIn(life.stderr())))
        counts.set(error, (counts.get(error) ?? 0) + 1);
      return counts;
    },
    async close() {
      process.off("exit", orphanNone);
      await Promise.all(processes.map((one) => one?.kill()));
      await balancer.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  // Whoever is stopped in the middle leaves nobody behind.
  const orphanNone = (): void => {
    for (const { child } of lives) child.kill("SIGKILL");
  };
  process.once("exit", orphanNone);
  balancer.targets = places.map(({ port }) => port);
  try {
    await Promise.all(places.map((_, place) => start(place)));
  } catch (error) {
    await fleet.close();
    throw error;
  }
  return fleet;
}

/** pino's level of errors; fatal ones are above it. */
const ERROR_LEVEL = 50;
const LogLine = z.looseObject({
  level: z.int().min(ERROR_LEVEL),
  msg: z.string(),
  err: z.looseObject({ message: z.string() }).optional(),
  /** In place of an error: of what fails while the store is away. */
  reason: z.string().optional(),
});

function errorsIn(stderr: string): string[] {
  return stderr.split("\n").flatMap((text) => {
    // A process that is killed may leave half a line.
    if (!text.startsWith("{") || !text.endsWith("}")) return [];
    const line = LogLine.safeParse(JSON.parse(text));
    return line.success ? [`${line.data.msg}: ${line.data.err?.message ?? line.data.reason ?? ""}`.slice(0, 300)] : [];
  });
}

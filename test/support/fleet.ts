import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Balancer, startBalancer } from "./balancer.ts";
import { freePort, type ServerProcess, startServer } from "./server.ts";

/** The key every process of a fleet is given, as `ENCRYPTION_KEY` and in the test's own hands. */
export const FLEET_KEY = Buffer.alloc(32, 7);

/** How a process that was told to stop ended. */
export interface Ending {
  code: number | null;
  ms: number;
}

/** Several processes of the service, as `npm start` starts them, behind one address. */
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
  /** Ends whatever runs. */
  close(): Promise<void>;
}

/** Starts `size` of them on one store; they find each other through nothing else. */
export async function startFleet(size: number, environment: Readonly<Record<string, string>>): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), "receivables-fleet-"));
  const balancer = await startBalancer();
  const url = `http://localhost:${balancer.port}`;
  const places = await Promise.all(
    Array.from({ length: size }, async (_, place) => ({ port: await freePort(), folder: join(folder, String(place)) })),
  );
  const processes: (ServerProcess | undefined)[] = [];
  const at = (place: number): ServerProcess => {
    const process = processes[place];
    if (process === undefined) throw new Error(`no process at ${place}`);
    return process;
  };
  const start = async (place: number): Promise<void> => {
    const { port, folder: own } = places[place] ?? { port: 0, folder };
    processes[place] = await startServer(environment.DATA_DIR ?? own, {
      ENCRYPTION_KEY: FLEET_KEY.toString("base64"),
      LOG_LEVEL: "warn",
      DEMO: "off",
      ...environment,
      PORT: String(port),
      PUBLIC_URL: url,
    });
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
    async close() {
      await Promise.all(processes.map((process) => process?.kill()));
      await balancer.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  balancer.targets = places.map(({ port }) => port);
  try {
    await Promise.all(places.map((_, place) => start(place)));
  } catch (error) {
    await fleet.close();
    throw error;
  }
  return fleet;
}

/** Starts the service: settings, store, listening, shutdown. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import pino from "pino";
import type { Service } from "./composition.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { outageLog } from "./core/gate/bounded-log.ts";
import { drainable } from "./http/drain.ts";
import { httpServer } from "./http/server.ts";
import { createService } from "./service.ts";
import { listenProblem, startProblem, tryAddresses } from "./start-problem.ts";
import { startWarnings } from "./start-warnings.ts";
import { StoreLockedError } from "./store/embedded/embedded.ts";
import { startSummary } from "./summary.ts";
import { serviceLog } from "./telemetry/log.ts";

/** The process manager waits 10 s after SIGTERM; what has not ended by then is cut off here, in order. */
const DRAIN_MS = 8_000;
/** After this the process exits even if something, such as a database without an answer, has not ended. */
const LAST_MOMENT_MS = 9_500;

const started = performance.now();

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function configOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) return fail(error.message);
    throw error;
  }
}

const config = configOrExit();
const log = serviceLog(config.logLevel, pino.destination({ dest: 2, sync: false }));

for (const warning of startWarnings(process.env, config)) log.warn(warning);

/** A first start takes 10 to 15 seconds, so it prints its progress; later starts print no password. */
const isFirstDemo = config.demo && !existsSync(join(config.dataDir, "demo.json"));
const tell = isFirstDemo ? (line: string) => void process.stdout.write(`${line}\n`) : undefined;

async function open(): Promise<Service> {
  try {
    await tryAddresses(config);
    const opened = await createService(config, { log: outageLog(log), tell });
    for (const warning of await opened.core.store.warnings()) log.warn(warning);
    return opened;
  } catch (error) {
    if (error instanceof StoreLockedError || error instanceof ConfigError) return fail(error.message);
    const problem = startProblem(error, config);
    if (problem !== null) return fail(problem);
    log.fatal({ err: error }, "service.start_failed");
    process.exit(1);
  }
}

const service = await open();
const server = httpServer(service.app, service.core.newId, config.publicUrl);
const drain = drainable(server);

server.once("error", async (error) => {
  await service.close();
  fail(listenProblem(error, { ...config, setting: "PORT" }));
});
server.listen(config.port, config.host, async () => {
  await service.start();
  const { kind } = service.core.store;
  log.info({ ms: Math.round(performance.now() - started), port: config.port, store: kind }, "service.ready");
  const login = isFirstDemo ? (await import("./demo/credentials.ts")).demoLogin(config.dataDir) : null;
  process.stdout.write(startSummary({ ...config, login }));
});

let stopping = false;
async function stop(signal: string, delayMs: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  log.info({ signal }, "service.stopping");
  setTimeout(() => {
    log.warn("service.stopped_by_timeout");
    process.exit(0);
  }, LAST_MOMENT_MS).unref();
  service.drain();
  await drain(DRAIN_MS, delayMs);
  await service.close();
  log.info("service.stopped");
  process.exit(0);
}

// Balancers see on /readyz that the process stops before it takes no more; nobody waits for them at a terminal.
process.on("SIGTERM", () => void stop("SIGTERM", config.shutdownDelayMs));
process.on("SIGINT", () => void stop("SIGINT", 0));

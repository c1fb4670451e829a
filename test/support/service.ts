import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import type { Core, Log } from "../../src/core/gate/dependencies.ts";
import type { Clock } from "../../src/core/kernel/calendar.ts";
import { httpServer } from "../../src/http/server.ts";
import type { JobOptions } from "../../src/jobs/schedule.ts";
import { createService } from "../../src/service.ts";
import { freePort } from "./server.ts";
import { copyEmbedded, createDatabase } from "./stores.ts";

/** The whole service in the test's own process, listening; its jobs look after their work quickly. */
export interface RunningService {
  core: Core;
  url: string;
  mcpUrl: string;
  /** Where this very process listens; its address to the outside may be another's. */
  via: string;
  /** Its folder, where mail goes that no SMTP server is named for. */
  dataDir: string;
  /** Null on the embedded store. */
  databaseUrl: string | null;
  close(): Promise<void>;
}

interface ServiceOptions {
  jobs?: JobOptions;
  log?: Log;
  clock?: Clock;
  internet?: Parameters<typeof createService>[1]["internet"];
  environment?: Record<string, string>;
  /** Whether admins may connect an ERP simulator on this machine. */
  localErps?: boolean;
  /** Another process of the same service: on its database, behind its address. */
  beside?: RunningService;
  /** A database that is there already, and stays. */
  databaseUrl?: string;
  /** False: nothing is done that nobody calls for. */
  works?: boolean;
}

const KEY = Buffer.alloc(32, 4).toString("base64");
const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Starts it on a fresh store of that kind, without the demo's books but with its sandbox where asked. */
export async function startService(
  kind: "embedded" | "postgres",
  options: ServiceOptions = {},
): Promise<RunningService> {
  const { beside, clock, internet, localErps = false, works = true } = options;
  const given = options.databaseUrl ?? beside?.databaseUrl ?? null;
  const database = kind === "postgres" && given === null ? await createDatabase() : null;
  const databaseUrl = database?.databaseUrl ?? given;
  const port = await freePort();
  const dataDir = databaseUrl === null ? copyEmbedded() : mkdtempSync(join(tmpdir(), "receivables-service-"));
  const config = readConfig({
    PORT: String(port),
    DATA_DIR: dataDir,
    DEMO: "off",
    ENCRYPTION_KEY: KEY,
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
    ...(beside === undefined ? {} : { PUBLIC_URL: beside.url }),
    ...options.environment,
  });
  const service = await createService(config, {
    log: options.log ?? silent,
    jobs: { lookEveryMs: 100, ...options.jobs },
    sandbox: true,
    localErps,
    checksOutputs: true,
    ...(clock === undefined ? {} : { clock }),
    ...(internet === undefined ? {} : { internet }),
  });
  const server = httpServer(service.app, service.core.newId, config.publicUrl);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  if (works) await service.start();
  const { publicUrl: url } = config;
  return {
    core: service.core,
    url,
    mcpUrl: `${url}/mcp`,
    via: `http://localhost:${port}`,
    dataDir,
    databaseUrl,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await service.close();
      await database?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

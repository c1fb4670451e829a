import { createServer } from "node:http";
import { readConfig } from "../../src/config.ts";
import type { Core, Log } from "../../src/core/core.ts";
import type { JobOptions } from "../../src/jobs/schedule.ts";
import { createService } from "../../src/service.ts";
import { freePort } from "./server.ts";
import { copyEmbedded, createDatabase } from "./stores.ts";

/** The whole service in the test's own process, listening; its jobs look after their work quickly. */
export interface RunningService {
  core: Core;
  url: string;
  mcpUrl: string;
  close(): Promise<void>;
}

const KEY = Buffer.alloc(32, 4).toString("base64");
const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Starts it on a fresh store of that kind, without the demo's books but with its sandbox where asked. */
export async function startService(
  kind: "embedded" | "postgres",
  options: { jobs?: JobOptions; log?: Log } = {},
): Promise<RunningService> {
  const database = kind === "postgres" ? await createDatabase() : null;
  const port = await freePort();
  const config = readConfig({
    PORT: String(port),
    DATA_DIR: copyEmbedded(),
    DEMO: "off",
    ENCRYPTION_KEY: KEY,
    ...(database === null ? {} : { DATABASE_URL: database.databaseUrl }),
  });
  const service = await createService(config, {
    log: options.log ?? silent,
    jobs: { lookEveryMs: 100, ...options.jobs },
    sandbox: true,
  });
  const server = createServer(service.app);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  await service.start();
  const { publicUrl: url } = config;
  return {
    core: service.core,
    url,
    mcpUrl: `${url}/mcp`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await service.close();
      await database?.drop();
    },
  };
}

import { createServer } from "node:http";
import { performance } from "node:perf_hooks";
import { readConfig } from "../src/config.ts";
import type { Core } from "../src/core/gate/dependencies.ts";
import { businessDate } from "../src/core/kernel/calendar.ts";
import { createService } from "../src/service.ts";
import { advanceAging } from "../src/store/aging/rollup.ts";
import { freePort } from "../test/support/server.ts";
import type { AgingBook } from "./aging-book.ts";

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The service in this process, timed from a request's start to the end of its answer, authentication and all. */
export async function openService(environment: Record<string, string>) {
  const port = await freePort();
  const config = readConfig({
    PORT: String(port),
    DEMO: "off",
    RATE_LIMITS: "off",
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    ...environment,
  });
  const service = await createService(config, { log: silent });
  const times: number[] = [];
  const server = createServer((request, response) => {
    const start = performance.now();
    response.once("finish", () => times.push(performance.now() - start));
    service.app(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    core: service.core,
    url: config.publicUrl,
    times,
    async close() {
      server.closeAllConnections();
      server.close();
      await service.close();
    },
  };
}

export type OpenService = Awaited<ReturnType<typeof openService>>;

/** Builds the aging roll-up of a book. */
export function buildAging({ clock, store }: Core, { tenantId }: AgingBook): Promise<void> {
  return store.patient.write(tenantId, (tx) => advanceAging(tx, tenantId, businessDate(clock.now(), "UTC")));
}

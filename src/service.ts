import { randomUUID } from "node:crypto";
import type { ComposeOptions, Service } from "./composition.ts";
import type { Config } from "./config.ts";
import type { Log } from "./core/gate/dependencies.ts";
import { workStep } from "./core/gate/work-step.ts";
import { type Clock, systemClock } from "./core/kernel/calendar.ts";
import { Secrets } from "./core/kernel/secrets.ts";
import { PRODUCT } from "./listing/manifest.ts";
import { readBacklog } from "./store/backlog.ts";
import { openEmbedded, openPostgres } from "./store/database.ts";
import type { Store } from "./store/store.ts";
import type { Telemetry } from "./telemetry/index.ts";

/** The log, and what a test replaces. */
interface ServiceParts extends ComposeOptions {
  log: Log;
  clock?: Clock;
  newId?: () => string;
}

const lookAtBacklog = workStep({ in: "all workspaces", run: ({ tx, shards, now }) => readBacklog(tx, shards, now) });

/** Opens the store while the code above it loads, and builds the service. Throws StoreLockedError and ConfigError. */
export async function createService(config: Config, parts: ServiceParts): Promise<Service> {
  const { log, clock = systemClock, newId = randomUUID } = parts;
  const secrets = Secrets.of(config);
  parts.tell?.("Opening the store.");
  const telemetry = await telemetryOf(config, log, newId);
  let store: Store | null = null;
  try {
    const opening = openStore(config);
    const loading = import("./composition.ts");
    store = await opening;
    const { compose } = await loading;
    return measured(await compose(config, { store, secrets, log, clock, newId }, parts), telemetry);
  } catch (error) {
    await store?.close();
    await telemetry?.close();
    throw error;
  }
}

/** Metrics and traces, loaded only where configured; before the store, so that it is measured from its start. */
async function telemetryOf({ telemetry: config }: Config, log: Log, newId: () => string): Promise<Telemetry | null> {
  if (config === null) return null;
  const { startTelemetry } = await import("./telemetry/index.ts");
  return startTelemetry({
    config,
    service: { name: PRODUCT.name, version: PRODUCT.version, instanceId: newId() },
    log,
  });
}

function measured(service: Service, telemetry: Telemetry | null): Service {
  if (telemetry === null) return service;
  const { store } = service.core;
  telemetry.observe({
    pools: () => store.pools(),
    tryWriting: () => store.tryWriting(),
    backlog: () => lookAtBacklog(service.core),
  });
  return {
    ...service,
    async close() {
      await service.close();
      await telemetry.close();
    },
  };
}

function openStore({ databaseUrl, databaseDirectUrl: directUrl, databasePoolSize: poolSize, dataDir }: Config) {
  return databaseUrl === null ? openEmbedded(dataDir) : openPostgres(databaseUrl, { poolSize, directUrl });
}

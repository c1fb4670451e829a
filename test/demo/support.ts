import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { type Clock, systemClock } from "../../src/core/kernel/calendar.ts";
import { paymentProviders } from "../../src/core/provider-access/payment-providers.ts";
import { type DemoErp, startDemoErp } from "../../src/demo/erp.ts";
import { seedDemo } from "../../src/demo/seed.ts";
import type { Store } from "../../src/store/store.ts";
import { testCore } from "../support/core.ts";

export const ADDRESSES = { baseUrl: "http://localhost:3000", mcpUrl: "http://localhost:3000/mcp" };

/** What a client reads in the data folder. */
export interface Credentials {
  base_url: string;
  mcp_url: string;
  people: { email: string; password: string; workspace: string; role: string }[];
  api_keys: { workspace: string; name: string; permission: string; key: string }[];
}

const HOUR_MS = 3_600_000;

/** Goes on as time does from noon today: nothing that the story has arranged falls due while somebody looks at it. */
export function fromNoon(): Clock {
  const noon = Math.floor(Date.now() / (24 * HOUR_MS)) * 24 * HOUR_MS + 12 * HOUR_MS;
  const begun = performance.now();
  return { now: () => new Date(noon + performance.now() - begun) };
}

/** A start of the demo, as the service does it. */
export async function startDemo(
  store: Store,
  dataDir: string,
  { addresses = ADDRESSES, clock = systemClock }: { addresses?: typeof ADDRESSES; clock?: Clock } = {},
): Promise<{ core: Core; erp: DemoErp }> {
  const plain = testCore(store, clock);
  const { secrets } = plain;
  const core: Core = { ...plain, payments: paymentProviders({ secrets, clock, sandboxAt: addresses.baseUrl }) };
  const erp = await startDemoErp({ core, dataDir });
  if (erp === null) throw new Error("the store has a demo that the folder knows nothing of");
  await seedDemo({ core, dataDir, ...addresses, erp });
  return { core, erp };
}

export function readCredentials(dataDir: string): Credentials {
  return JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8"));
}

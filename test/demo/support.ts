import { readFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/core/calendar.ts";
import type { Core } from "../../src/core/core.ts";
import { paymentProviders } from "../../src/core/payment-integrations/payment-providers.ts";
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

/** A start of the demo, as the service does it. */
export async function startDemo(
  store: Store,
  dataDir: string,
  addresses = ADDRESSES,
): Promise<{ core: Core; erp: DemoErp }> {
  const plain = testCore(store, systemClock);
  const { secrets, clock } = plain;
  const core: Core = { ...plain, payments: paymentProviders({ secrets, clock, sandboxAt: addresses.baseUrl }) };
  const erp = await startDemoErp({ core, dataDir });
  await seedDemo({ core, dataDir, ...addresses, erp });
  return { core, erp };
}

export function readCredentials(dataDir: string): Credentials {
  return JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8"));
}

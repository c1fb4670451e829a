import type { Core } from "../core/core.ts";
import { claimRuns } from "../core/sync-runs/lead-run.ts";
import { reserveSyncRun } from "../core/sync-runs/reserve-run.ts";
import { connectErp } from "../gateways/erp/index.ts";
import { oracleFusion } from "../gateways/erp/oracle-fusion/index.ts";
import { type ConnectGateway, pullInvoices } from "../jobs/pull-invoices.ts";
import type { DemoWorkspace } from "./cast.ts";
import type { DemoErpSite } from "./erp.ts";

/** Where a step of the demo's story plays: a workspace at some moment before the demo's first start. */
export interface Scene {
  /** Its clock is that moment, and runs on from there. */
  readonly core: Core;
  readonly workspace: DemoWorkspace;
  readonly tenantId: string;
  /** How many days before the first start. */
  readonly daysAgo: number;
  /** A simulated ERP of the workspace. */
  site(key: string): DemoErpSite;
  /** The connection to it, once it was made. */
  connectionId(key: string): string;
  remember(key: string, connectionId: string): void;
}

/** Of one pull: how it starts, and what goes wrong. */
interface Pull {
  trigger: "manual" | "scheduled";
  /** What the ERP answers instead of the data. */
  fault?: "401" | "404" | "500";
  /** Is given up in the middle, as when the service is stopped. */
  cutOff?: boolean;
}

const LEASE_MS = 20_000;
/** So small that a pull has a middle to be cut off in. */
const CUT_OFF_PAGE = 60;
/** The first such page takes three requests: the page, the rest of a long schedule, and the contacts. */
const REQUESTS_BEFORE_CUT = 3;
const LOOK_MS = 5;

/** Pulls through the connector what a simulated ERP holds at the scene's moment. */
export async function pull(scene: Scene, siteKey: string, { trigger, fault, cutOff = false }: Pull): Promise<void> {
  const { core, tenantId } = scene;
  const site = scene.site(siteKey);
  site.turnTo(scene.daysAgo);
  if (cutOff) site.simulator.control({ mode: "hang", after: REQUESTS_BEFORE_CUT });
  else site.simulator.control({ mode: fault ?? "ok" });
  const connectionId = scene.connectionId(siteKey);
  await core.store.write(tenantId, (tx) => reserveSyncRun(tx, core, { tenantId, connectionId, trigger }));
  // Runs are taken up oldest first, and this one is older than any the service itself can have reserved.
  const [led] = await claimRuns(core, { workerId: core.newId(), leaseMs: LEASE_MS, limit: 1 });
  if (led === undefined) throw new Error("the demo's run was taken up by somebody else");
  const stop = new AbortController();
  const watch = cutOff ? stopOnceHanging(site, stop) : undefined;
  await pullInvoices(core, cutOff ? connectInSmallPages : connectErp, led, stop.signal);
  clearInterval(watch);
}

const connectInSmallPages: ConnectGateway = (_provider, settings) =>
  oracleFusion({ ...settings, pageSize: CUT_OFF_PAGE });

/** Stops a pull when a request has come in that is never answered. */
function stopOnceHanging({ simulator }: DemoErpSite, stop: AbortController): NodeJS.Timeout {
  simulator.forgetRequests();
  return setInterval(() => {
    if (simulator.requests.length > REQUESTS_BEFORE_CUT) stop.abort();
  }, LOOK_MS);
}

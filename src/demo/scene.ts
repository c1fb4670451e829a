import { setTimeout as sleep } from "node:timers/promises";
import type { Core } from "../core/gate/dependencies.ts";
import { claimRuns } from "../core/sync-runs/claim-runs.ts";
import { reserveSyncRun } from "../core/sync-runs/operations/start-erp-sync.ts";
import { erpGateway } from "../gateways/erp/index.ts";
import { oracleFusion } from "../gateways/erp/oracle-fusion/index.ts";
import { type ConnectGateway, pullInvoices } from "../jobs/pull-invoices.ts";
import type { DemoWorkspace } from "./cast.ts";
import type { DemoErpSite } from "./erp.ts";
import { hasReadInvoices } from "./queries.ts";

/** The context of a step of the demo's story: a workspace at a time before the first start. */
export interface Scene {
  /** Its clock starts at that time. */
  readonly core: Core;
  readonly workspace: DemoWorkspace;
  readonly tenantId: string;
  /** How many days before the first start. */
  readonly daysAgo: number;
  /** `{base_url}`. */
  readonly baseUrl: string;
  /** The folder of its mail. */
  readonly outboxFolder: string;
  /** A simulated ERP of the workspace. */
  site(key: string): DemoErpSite;
  /** The connection to it, once it was made. */
  connectionId(key: string): string;
  remember(key: string, connectionId: string): void;
}

/** Carries out a step of the story. */
export type Tell = (scene: Scene) => Promise<void>;

/** One pull: its trigger, and how it fails. */
interface Pull {
  trigger: "manual" | "scheduled";
  /** The error that the ERP answers instead of data. */
  fault?: "401" | "404" | "500";
  /** Interrupted in the middle, as when the service is stopped. */
  cutOff?: boolean;
}

const LEASE_MS = 20_000;
/** A page size so small that a pull has several pages. */
const CUT_OFF_PAGE = 60;
/** The first such page takes two requests, of this resource: the page, and the rest of a long schedule. */
const CUT_OFF = { resource: "receivablesInvoices", answered: 2 } as const;
const LOOK_MS = 5;

/** Pulls through the connector what a simulated ERP holds at the scene's moment. */
export async function pull(scene: Scene, siteKey: string, { trigger, fault, cutOff = false }: Pull): Promise<void> {
  const { core, tenantId } = scene;
  const site = scene.site(siteKey);
  site.turnTo(scene.daysAgo);
  if (cutOff) site.simulator.control({ mode: "hang", resource: CUT_OFF.resource, after: CUT_OFF.answered });
  else site.simulator.control({ mode: fault ?? "ok" });
  const connectionId = scene.connectionId(siteKey);
  await core.store.write(tenantId, (tx) => reserveSyncRun(tx, core, { tenantId, connectionId, trigger }));
  // Runs are claimed oldest first, and this one is older than any the service itself can have reserved.
  const [led] = await claimRuns(core, { leaseMs: LEASE_MS, limit: 1 });
  if (led === undefined) throw new Error("the demo's run was claimed by another process");
  const stop = new AbortController();
  let isOver = false;
  const pulled = pullInvoices(core, cutOff ? connectInSmallPages : erpGateway, led, stop.signal).finally(() => {
    isOver = true;
  });
  // Its second page, which never comes, is asked for while the first is written.
  const hasRead = () => core.store.read(tenantId, (tx) => hasReadInvoices(tx, tenantId, led.sync_run_id));
  while (cutOff && !isOver && !(await hasRead())) await sleep(LOOK_MS);
  if (cutOff) stop.abort();
  await pulled;
}

const connectInSmallPages: ConnectGateway = (_provider, settings) =>
  oracleFusion({ ...settings, pageSize: CUT_OFF_PAGE });

/** The resource of the ERP, and how many of its requests are answered before one hangs. */
interface Hang {
  readonly resource: string;
  readonly answered: number;
}

/** Stops the pull when the request that hangs has arrived. */
export function stopOnceHanging({ simulator }: DemoErpSite, stop: AbortController, hang: Hang): NodeJS.Timeout {
  const { resource, answered } = hang;
  simulator.forgetRequests();
  return setInterval(() => {
    const asked = simulator.requests.filter(({ path }) => path.split("/")[4] === resource);
    if (asked.length > answered) stop.abort();
  }, LOOK_MS);
}

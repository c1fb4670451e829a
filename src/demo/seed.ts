import { join } from "node:path";
import { addMember } from "../../auth/members/add-member.ts";
import type { Core, Log } from "../core/gate/dependencies.ts";
import { operate } from "../core/gate/operator.ts";
import type { Clock } from "../core/kernel/calendar.ts";
import { ServiceError } from "../core/kernel/error.ts";
import { finishReservation } from "../core/payment-links/issuing/finish-reservation.ts";
import { interruptRunOf } from "../core/sync-runs/finish-run.ts";
import { createWorkspace } from "../core/workspace/operations/create-workspace.ts";
import { findWorkspace } from "../core/workspace/workspaces.ts";
import { type DemoWorkspace, PEOPLE, WORKSPACES } from "./cast.ts";
import { letGo, pullingConnections } from "./collecting-queries.ts";
import { handOutCredentials, keepCredentials } from "./credentials.ts";
import type { DemoErp } from "./erp.ts";
import { restoreReceipts } from "./payments.ts";
import { moveConnection } from "./queries.ts";
import type { Scene } from "./scene.ts";
import { STORY, type StoryStep } from "./story.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const FOUNDED_DAYS_AGO = 31;
/** Remembered after the last step: a later version's story may have more. */
const THE_END = "the end";

interface SeedOptions {
  core: Core;
  dataDir: string;
  /** `{base_url}` and `{mcp_url}`, for the credentials file. */
  baseUrl: string;
  mcpUrl: string;
  erp: DemoErp;
  /** Prints a line of progress at a first start. */
  tell?: ((line: string) => void) | undefined;
}

/**
 * Fills the demo's workspaces through the connector and hands out credentials (contract.md, `DATA_DIR/demo.json`), before
 * any job runs. The next start completes an interrupted one, unless another version began it, whose story differs; after that, only
 * the ERPs' ports are updated.
 */
export async function seedDemo({ core, dataDir, baseUrl, mcpUrl, erp, tell }: SeedOptions): Promise<void> {
  const { state, save } = erp.memory;
  await followPorts(core, erp);
  for (const site of erp.sites) {
    const tenantId = state.workspaces[site.site.workspace];
    if (tenantId !== undefined) await restoreReceipts(core, tenantId, site);
  }
  const isWhole = state.told.at(-1) === THE_END;
  if (isWhole && keepCredentials(dataDir, { baseUrl, mcpUrl })) return;
  if (!isWhole && state.told.some((name, index) => STORY[index]?.name !== name)) {
    core.log.warn({ reason: "another version began to make it, and this one cannot go on" }, "demo.left_unchanged");
    return;
  }

  tell?.("Making the demo, the last five weeks of three workspaces:");
  for (const tenantId of Object.values(state.workspaces)) await resume(core, tenantId);
  for (const workspace of WORKSPACES) {
    state.workspaces[workspace.key] ??= await found(
      coreAt(core, momentOf(state.began_at, FOUNDED_DAYS_AGO)),
      workspace,
    );
    save();
  }
  const done = isWhole ? STORY.length : state.told.length;
  const outboxFolder = join(dataDir, "outbox");
  const said = new Set<string>();
  for (const [index, step] of STORY.entries()) {
    if (index < done) continue;
    const line = progressOf(step);
    if (!said.has(line)) tell?.(line);
    said.add(line);
    await step.tell(
      sceneOf(core, erp, step, { moment: momentOf(state.began_at, step.daysAgo, index), baseUrl, outboxFolder }),
    );
    state.told.push(step.name);
    save();
  }
  if (!isWhole) state.told.push(THE_END);
  save();
  for (const site of erp.sites) site.settle();
  await handOutCredentials(core, { state, dataDir, baseUrl, mcpUrl });
  await core.store.maintain();
}

/** Ends the runs of an interrupted start, releases its claims, and makes the links it had reserved. */
async function resume(core: Core, tenantId: string): Promise<void> {
  await core.store.write(tenantId, async (tx) => {
    for (const connectionId of await pullingConnections(tx, tenantId))
      await interruptRunOf(tx, core, { tenantId, connectionId }, "cut_off");
  });
  for (const id of await core.store.write(tenantId, (tx) => letGo(tx, tenantId)))
    await finishReservation(core, tenantId, id);
}

/** Creates a workspace, or finds the one that an interrupted start made, and adds its people, without passwords yet. */
async function found(core: Core, workspace: DemoWorkspace): Promise<string> {
  const tenantId = await createOrFind(core, workspace);
  for (const { email, name, roles } of PEOPLE) {
    const role = roles[workspace.key];
    if (role !== undefined) await operate(core, tenantId, addMember, { email, name, role });
  }
  return tenantId;
}

async function createOrFind(core: Core, { name, timezone }: DemoWorkspace): Promise<string> {
  try {
    return (
      await operate(core, core.newId(), createWorkspace, { name, timezone, api_access: true, assistant_access: true })
    ).id;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "conflict") throw error;
    return (await findWorkspace({ core }, name)).id;
  }
}

function sceneOf(
  core: Core,
  erp: DemoErp,
  { workspace: key, daysAgo }: StoryStep,
  { moment, baseUrl, outboxFolder }: { moment: number; baseUrl: string; outboxFolder: string },
): Scene {
  const { state, save } = erp.memory;
  const workspace = known(WORKSPACES.find((candidate) => candidate.key === key));
  return {
    core: coreAt(core, moment),
    workspace,
    tenantId: known(state.workspaces[key]),
    daysAgo,
    baseUrl,
    outboxFolder,
    site: (siteKey) => known(erp.sites.find(({ site }) => site.key === siteKey)),
    connectionId: (siteKey) => known(state.connections[siteKey]),
    remember(siteKey, connectionId) {
      state.connections[siteKey] = connectionId;
      save();
    },
  };
}

/** The progress line of a step, by week. */
function progressOf({ workspace: key, daysAgo }: StoryStep): string {
  const { name } = known(WORKSPACES.find((candidate) => candidate.key === key));
  const weeks = Math.ceil(daysAgo / 7);
  return `  ${name}: ${weeks === 0 ? "today" : `${weeks} ${weeks === 1 ? "week" : "weeks"} ago`}`;
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("the demo's story speaks of something that is not there");
  return value;
}

/** The instant that many days before the demo's first start; the steps of a day follow each other in its last half hour. */
function momentOf(beganAt: string, daysAgo: number, index = 0): number {
  return Date.parse(beganAt) - daysAgo * DAY_MS - Math.round(30 * MINUTE_MS * (1 - index / STORY.length));
}

/** The core with a clock that starts at `moment`. */
function coreAt(core: Core, moment: number): Core {
  const begun = performance.now();
  const clock: Clock = { now: () => new Date(moment + Math.round(performance.now() - begun)) };
  // Pulls of the story fail on purpose, so warnings are dropped; errors are logged.
  const error: Log["error"] = (fields, message) => core.log.error(fields, message);
  const log: Log = { error, info: () => undefined, warn: () => undefined };
  return { ...core, clock, log };
}

/** Points the demo's connections at the ports its ERPs got this time. */
async function followPorts(core: Core, { sites, memory: { state } }: DemoErp): Promise<void> {
  for (const { site, simulator } of sites) {
    const [tenantId, connectionId] = [state.workspaces[site.workspace], state.connections[site.key]];
    if (tenantId === undefined || connectionId === undefined) continue;
    const baseUrl = simulator.url;
    await core.store.write(tenantId, (tx) => moveConnection(tx, { tenantId, connectionId, baseUrl }));
  }
}

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { type Core, nowOf } from "../core/gate/dependencies.ts";
import { listWorkspaces, type Workspace } from "../core/workspace/workspaces.ts";
import { WORKSPACES } from "./cast.ts";
import { readPrivate, writePrivately } from "./files.ts";

const FILE = "demo-erp.json";

const DemoState = z.object({
  /** When the demo was first started: its data are relative to that day. */
  began_at: z.iso.datetime(),
  /** Of the simulated ERPs, by site. */
  erp: z.record(z.string(), z.object({ password: z.string(), port: z.int() })),
  /** Workspaces by key, once made. */
  workspaces: z.record(z.string(), z.string()),
  /** ERP connections by site, once made. */
  connections: z.record(z.string(), z.string()),
  /** Names of the story's steps that are done: an interrupted start continues after them. */
  told: z.array(z.string()).catch(["steps of another version"]),
});

/** What the demo has to remember from start to start; kept in the data folder, readable by its owner only. */
export type DemoState = z.output<typeof DemoState>;

/** Where and how the demo's state is kept. */
export interface DemoMemory {
  readonly state: DemoState;
  save(): void;
}

/**
 * Reads the demo's state; starts with a new one where it is missing or belongs to another store. Null, with a warning,
 * where the store already has a workspace of the demo, as after a restore: the demo is then left unchanged.
 */
export async function recallDemo(core: Core, dataDir: string): Promise<DemoMemory | null> {
  const path = join(dataDir, FILE);
  const kept = DemoState.safeParse(readPrivate(path));
  const workspaces = await listWorkspaces({ core });
  const memoryOf = (state: DemoState): DemoMemory => ({ state, save: () => writePrivately(path, state) });
  if (kept.success && isStillThere(kept.data, workspaces)) return memoryOf(kept.data);
  const workspace = workspaces.find(({ name }) => WORKSPACES.some((demo) => demo.name === name))?.name;
  if (workspace === undefined) return memoryOf(beginState(nowOf(core)));
  core.log.warn(
    { workspace, file: path, reason: "the demo was made with another DATA_DIR; its ERPs do not answer" },
    "demo.left_unchanged",
  );
  return null;
}

function isStillThere({ workspaces }: DemoState, there: readonly Workspace[]): boolean {
  const ids = new Set(there.map(({ id }) => id));
  return Object.values(workspaces).every((id) => ids.has(id));
}

function beginState(now: string): DemoState {
  return { began_at: now, erp: {}, workspaces: {}, connections: {}, told: [] };
}

/** A random secret that is easy to type. */
export function randomSecret(): string {
  return randomBytes(15).toString("base64url");
}

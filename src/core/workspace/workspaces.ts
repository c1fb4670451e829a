import { z } from "zod";
import type { Transaction } from "../../store/store.ts";
import type { AssistantMode } from "../actor.ts";
import { isTimezone } from "../calendar.ts";
import { type Core, nowOf } from "../core.ts";
import { notFound, ServiceError } from "../error.ts";
import { type ManagedAct, type Manager, recordManagement } from "../operator.ts";
import { stopping } from "../stopping.ts";
import { cleanText } from "../text.ts";
import { queueOpenInvoices } from "../workflows/queue-queries.ts";
import {
  insertWorkspace,
  isNameTaken,
  selectWorkspace,
  selectWorkspaces,
  updateWorkspace,
  type WorkspaceRecord,
} from "./workspace-queries.ts";

/** A workspace (tenant) as operators see it; what its tier grants is `api_access` and `assistant_access` (completions §1). */
export interface Workspace {
  id: string;
  name: string;
  timezone: string;
  api_access: boolean;
  assistant_access: boolean;
  /** How far assistants may go, whatever they were granted (completions §11). */
  assistants: AssistantMode;
  created_at: string;
}

/** What can be said of a workspace; `timezone` is an IANA name. */
export type WorkspaceSettings = Pick<Workspace, "name" | "timezone" | "api_access" | "assistant_access" | "assistants">;

const Name = z
  .string()
  .transform((text) => cleanText(text, 200))
  .pipe(z.string("must not be empty"));

/** How a workspace's name and timezone are read from outside. */
export const WorkspaceInput = {
  name: Name,
  timezone: z.string().refine(isTimezone, "must be an IANA time zone name such as America/New_York"),
};

/** Makes a workspace. Throws `conflict` when one of that name exists. */
export function createWorkspace(
  core: Core,
  { assistants = "write", ...settings }: Omit<WorkspaceSettings, "assistants"> & Partial<WorkspaceSettings>,
): Promise<Workspace> {
  const { name, timezone, api_access, assistant_access } = settings;
  const access = { api_access, assistant_access, assistants };
  const row = { tenant_id: core.newId(), name, timezone, ...access, created_at: nowOf(core) };
  return core.store.system(async (tx) => {
    await assertNameIsFree(tx, row.name, row.tenant_id);
    await insertWorkspace(tx, row);
    await recordManagement(tx, core, actOf(core, { kind: "operator", tenantId: row.tenant_id }, "createWorkspace"));
    return asWorkspace(row);
  });
}

/** Topic of the notice that a workspace has no assistants any more; the payload is its id. Whoever serves one stops. */
export const ASSISTANTS_STOPPED = "assistants_stopped";

/** Topic of the notice that a workspace's assistants only read now; the payload is its id. Whoever writes for one stops. */
export const ASSISTANTS_ONLY_READ = "assistants_only_read";

/** Settings to change; what is undefined stays. */
export type WorkspaceChange = { [K in keyof WorkspaceSettings]?: WorkspaceSettings[K] | undefined };

/**
 * An operator changes what is given, from the next call on; without assistants also what they are at. Throws `not_found`,
 * and `conflict` for another's name.
 */
export function setWorkspace(core: Core, workspaceId: string, change: WorkspaceChange): Promise<Workspace> {
  const act = actOf(core, { kind: "operator", tenantId: workspaceId }, "setWorkspace");
  return applyChange(core, act, change);
}

/**
 * An admin or an operator says how far the workspace's assistants may go, from their next call on. What each was granted stays,
 * and is theirs again once they may write. Throws `permission_denied`.
 */
export function setAssistantMode(
  core: Core,
  actor: Manager,
  { assistants, requestId }: { assistants: AssistantMode; requestId: string },
): Promise<Workspace> {
  return applyChange(
    core,
    { ...actOf(core, actor, "setAssistantMode"), requestId, details: { assistants } },
    { assistants },
  );
}

function applyChange(core: Core, act: ManagedAct, change: WorkspaceChange): Promise<Workspace> {
  const { tenantId } = act.actor;
  const { name, timezone, api_access, assistant_access, assistants } = change;
  const tell = async (): Promise<void> => {
    if (assistant_access === false) await core.store.publish({ topic: ASSISTANTS_STOPPED, payload: tenantId });
    if (assistants === "read") await core.store.publish({ topic: ASSISTANTS_ONLY_READ, payload: tenantId });
  };
  const set = () =>
    core.store.system(async (tx) => {
      if (name !== undefined) await assertNameIsFree(tx, name, tenantId);
      const row = await updateWorkspace(tx, tenantId, { name, timezone, api_access, assistant_access, assistants });
      if (row === undefined) throw notFound("workspace");
      // Its business days begin at other instants now.
      if (timezone !== undefined) await queueOpenInvoices(tx, core, tenantId);
      await recordManagement(tx, core, act);
      return asWorkspace(row);
    });
  return stopping(tell, set);
}

/** Every workspace, by name. */
export async function listWorkspaces(core: Pick<Core, "store">): Promise<Workspace[]> {
  return (await core.store.system(selectWorkspaces)).map(asWorkspace);
}

/** The workspace of that id or exact name. Throws `not_found`. */
export async function findWorkspace(core: Pick<Core, "store">, nameOrId: string): Promise<Workspace> {
  const row = await core.store.system((tx) => selectWorkspace(tx, nameOrId));
  if (row === undefined) throw notFound("workspace");
  return asWorkspace(row);
}

/** Names are how operators call workspaces. */
async function assertNameIsFree(tx: Transaction, name: string, workspaceId: string): Promise<void> {
  if (await isNameTaken(tx, name, workspaceId))
    throw new ServiceError("conflict", "There is a workspace of this name already.");
}

function actOf(core: Core, actor: Manager, operation: string): ManagedAct {
  return { actor, operation, objectType: "workspace", objectId: actor.tenantId, requestId: core.newId() };
}

function asWorkspace({ tenant_id: id, created_at, ...rest }: WorkspaceRecord): Workspace {
  return { id, ...rest, created_at };
}

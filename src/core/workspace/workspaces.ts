import { z } from "zod";
import type { Transaction } from "../../store/store.ts";
import type { TenantRow } from "../../store/tables.ts";
import { isTimezone } from "../calendar.ts";
import { type Core, nowOf } from "../core.ts";
import { notFound, ServiceError } from "../error.ts";
import { recordOperatorAct } from "../operator.ts";
import { stopping } from "../stopping.ts";
import { cleanText } from "../text.ts";
import {
  insertWorkspace,
  isNameTaken,
  selectWorkspace,
  selectWorkspaces,
  updateWorkspace,
} from "./workspace-queries.ts";

/** A workspace (tenant) as operators see it; what its tier grants is `api_access` and `assistant_access` (completions §1). */
export interface Workspace {
  id: string;
  name: string;
  timezone: string;
  api_access: boolean;
  assistant_access: boolean;
  created_at: string;
}

/** What can be said of a workspace; `timezone` is an IANA name. */
export type WorkspaceSettings = Pick<Workspace, "name" | "timezone" | "api_access" | "assistant_access">;

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
export function createWorkspace(core: Core, settings: WorkspaceSettings): Promise<Workspace> {
  const { name, timezone, api_access, assistant_access } = settings;
  const row = { tenant_id: core.newId(), name, timezone, api_access, assistant_access, created_at: nowOf(core) };
  return core.store.system(async (tx) => {
    await assertNameIsFree(tx, row.name, row.tenant_id);
    await insertWorkspace(tx, row);
    await record(core, tx, row.tenant_id, "createWorkspace");
    return asWorkspace(row);
  });
}

/** Topic of the notice that a workspace has no assistants any more; the payload is its id. Whoever serves one stops. */
export const ASSISTANTS_STOPPED = "assistants_stopped";

/** Settings to change; what is undefined stays. */
export type WorkspaceChange = { [K in keyof WorkspaceSettings]?: WorkspaceSettings[K] | undefined };

/**
 * Changes what is given, from the next call on; without assistants also what they are at. Throws `not_found`, and
 * `conflict` for another's name.
 */
export async function setWorkspace(core: Core, workspaceId: string, change: WorkspaceChange): Promise<Workspace> {
  const { name, timezone, api_access, assistant_access } = change;
  const stop = async (): Promise<void> => {
    if (assistant_access === false) await core.store.publish({ topic: ASSISTANTS_STOPPED, payload: workspaceId });
  };
  const set = () =>
    core.store.system(async (tx) => {
      if (name !== undefined) await assertNameIsFree(tx, name, workspaceId);
      const row = await updateWorkspace(tx, workspaceId, { name, timezone, api_access, assistant_access });
      if (row === undefined) throw notFound("workspace");
      await record(core, tx, workspaceId, "setWorkspace");
      return asWorkspace(row);
    });
  return stopping(stop, set);
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

function record(core: Core, tx: Transaction, tenantId: string, operation: string): Promise<void> {
  return recordOperatorAct(tx, core, { tenantId, operation, objectType: "workspace", objectId: tenantId });
}

function asWorkspace({ tenant_id: id, ...rest }: TenantRow): Workspace {
  return { id, ...rest };
}

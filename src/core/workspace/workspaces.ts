import { sql } from "kysely";
import { z } from "zod";
import type { Transaction } from "../../store/store.ts";
import type { TenantRow } from "../../store/tables.ts";
import { isTimezone } from "../calendar.ts";
import { type Core, nowOf } from "../core.ts";
import { notFound, ServiceError } from "../error.ts";
import { recordOperatorAct } from "../operator.ts";
import { cleanText } from "../text.ts";

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
export interface WorkspaceSettings {
  name: string;
  timezone: string;
  apiAccess: boolean;
  assistantAccess: boolean;
}

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
  const row: TenantRow = {
    tenant_id: core.newId(),
    name: settings.name,
    timezone: settings.timezone,
    api_access: settings.apiAccess,
    assistant_access: settings.assistantAccess,
    created_at: nowOf(core),
  };
  return core.store.system(async (tx) => {
    await assertNameIsFree(tx, row.name, row.tenant_id);
    await tx.insertInto("tenants").values(row).execute();
    await record(core, tx, row.tenant_id, "createWorkspace");
    return asWorkspace(row);
  });
}

/** Changes what is given, from the next call on. Throws `not_found`, and `conflict` for another's name. */
export function setWorkspace(core: Core, workspaceId: string, change: Partial<WorkspaceSettings>): Promise<Workspace> {
  return core.store.system(async (tx) => {
    if (change.name !== undefined) await assertNameIsFree(tx, change.name, workspaceId);
    const row = await tx
      .updateTable("tenants")
      .set((column) => ({
        name: change.name ?? column.ref("name"),
        timezone: change.timezone ?? column.ref("timezone"),
        api_access: change.apiAccess ?? column.ref("api_access"),
        assistant_access: change.assistantAccess ?? column.ref("assistant_access"),
      }))
      .where("tenant_id", "=", workspaceId)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) throw notFound("workspace");
    await record(core, tx, workspaceId, "setWorkspace");
    return asWorkspace(row);
  });
}

/** Every workspace, by name. */
export async function listWorkspaces(core: Pick<Core, "store">): Promise<Workspace[]> {
  const rows = await core.store.system((tx) =>
    tx.selectFrom("tenants").selectAll().orderBy("name").orderBy("tenant_id").execute(),
  );
  return rows.map(asWorkspace);
}

/** The workspace of that id or exact name. Throws `not_found`. */
export async function findWorkspace(core: Pick<Core, "store">, nameOrId: string): Promise<Workspace> {
  const row = await core.store.system((tx) =>
    tx
      .selectFrom("tenants")
      .selectAll()
      .where((where) => where.or([where("name", "=", nameOrId), where(sql`tenant_id::text`, "=", nameOrId)]))
      .orderBy("created_at")
      .executeTakeFirst(),
  );
  if (row === undefined) throw notFound("workspace");
  return asWorkspace(row);
}

/** Names are how operators call workspaces; two writers wait for one another. */
async function assertNameIsFree(tx: Transaction, name: string, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('workspace names'))`.execute(tx);
  const taken = await tx
    .selectFrom("tenants")
    .select("tenant_id")
    .where("name", "=", name)
    .where("tenant_id", "!=", workspaceId)
    .executeTakeFirst();
  if (taken !== undefined) throw new ServiceError("conflict", "There is a workspace of this name already.");
}

function record(core: Core, tx: Transaction, tenantId: string, operation: string): Promise<void> {
  return recordOperatorAct(tx, core, { tenantId, operation, objectType: "workspace", objectId: tenantId });
}

function asWorkspace({ tenant_id: id, ...rest }: TenantRow): Workspace {
  return { id, ...rest };
}

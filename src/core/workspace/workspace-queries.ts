import { isDeepStrictEqual } from "node:util";
import { type Insertable, type Selectable, sql } from "kysely";
import { addRoutes, ofTenantAt } from "../../store/identity/tenant-routes.ts";
import { holdName } from "../../store/named-lock.ts";
import type { Shards } from "../../store/shards.ts";
import type { Transaction } from "../../store/store.ts";
import type { TenantRow } from "../../store/tables/workspace.ts";
import { UUID } from "../../uuid.ts";

/** A stored workspace. */
export type WorkspaceRecord = Selectable<TenantRow>;

/** Whether another workspace has the name; holds a lock on all names until the transaction ends. */
export async function isNameTaken(tx: Transaction, name: string, workspaceId: string) {
  await holdName(tx, "workspace names");
  const taken = await workspaceNamed(tx, name, workspaceId);
  return taken !== undefined;
}

/** Which of the workspaces that had the name has it now; not the one of `exceptId`. */
function workspaceNamed(tx: Transaction, name: string, exceptId?: string) {
  return ofTenantAt(tx, { kind: "workspace", key: name }, async (tenantId) => {
    const row = tenantId === exceptId ? undefined : await workspaceOf(tx, tenantId);
    return row?.name === name ? row : undefined;
  });
}

function workspaceOf(tx: Transaction, tenantId: string) {
  return tx.selectFrom("tenants").selectAll().where("tenant_id", "=", tenantId).executeTakeFirst();
}

export async function insertWorkspace(tx: Transaction, row: Insertable<TenantRow>) {
  await addRoutes(tx, row.tenant_id, [{ kind: "workspace", key: row.name }]);
  await tx.insertInto("tenants").values(row).execute();
}

/** Changes what is given; undefined when missing. `isChanged` is false when the values are those it had. */
export async function updateWorkspace(
  tx: Transaction,
  workspaceId: string,
  change: {
    [K in "name" | "timezone" | "api_access" | "assistant_access" | "assistants"]?: WorkspaceRecord[K] | undefined;
  },
): Promise<{ before: WorkspaceRecord; row: WorkspaceRecord; isChanged: boolean } | undefined> {
  const before = await tx
    .selectFrom("tenants")
    .selectAll()
    .where("tenant_id", "=", workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (before === undefined) return undefined;
  if (change.name !== undefined) await addRoutes(tx, workspaceId, [{ kind: "workspace", key: change.name }]);
  const row = await tx
    .updateTable("tenants")
    .set({ ...change, name: change.name ?? before.name })
    .where("tenant_id", "=", workspaceId)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { before, row, isChanged: !isDeepStrictEqual(row, before) };
}

/** IANA name. */
export async function timezoneOf(tx: Transaction, tenantId: string) {
  const row = await tx
    .selectFrom("tenants")
    .select("timezone")
    .where("tenant_id", "=", tenantId)
    .executeTakeFirstOrThrow();
  return row.timezone;
}

/** Every workspace, by name. */
export function selectWorkspaces(tx: Transaction, shards: Shards) {
  const ofShards = shards.has(sql.ref("tenant_id"));
  return tx.selectFrom("tenants").selectAll().where(ofShards).orderBy("name").orderBy("tenant_id").execute();
}

export async function selectWorkspace(tx: Transaction, nameOrId: string) {
  const id = nameOrId.toLowerCase();
  return (await workspaceNamed(tx, nameOrId)) ?? (UUID.test(id) ? await workspaceOf(tx, id) : undefined);
}

/** Null when the workspace is gone. */
export async function workspaceNameOf(tx: Transaction, tenantId: string) {
  const row = await tx.selectFrom("tenants").select("name").where("tenant_id", "=", tenantId).executeTakeFirst();
  return row?.name ?? null;
}

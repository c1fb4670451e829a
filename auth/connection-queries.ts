import type { Insertable, Updateable } from "kysely";
import { MOST_ENDED } from "../src/core/gate/ended-access.ts";
import { sameTenant } from "../src/core/kernel/same-tenant.ts";
import { addRoutes, ofTenantAt, ofTenantsAt, tenantsAt } from "../src/store/identity/tenant-routes.ts";
import type { Transaction } from "../src/store/store.ts";
import type { AssistantConnectionRow } from "../src/store/tables/identity.ts";
import { countsIn, type SignedIn } from "./sign-in-reach-queries.ts";

/** Live connections of a member: they are listed on one page. */
export const MOST_LIVE = 50;

/** Connections of a workspace with their members. */
function connectionsOfMembers(tx: Transaction, tenantId: string) {
  return tx
    .selectFrom("assistant_connections as connection")
    .innerJoin("members as member", sameTenant("member", "connection", "member_id"))
    .where((column) => column.and({ "connection.tenant_id": tenantId, "member.tenant_id": tenantId }));
}

/** A workspace's live connections, newest first, and the latest that ended; of one member if `memberId` is given. */
export async function selectConnections(tx: Transaction, tenantId: string, memberId: string | null) {
  const found = connectionsOfMembers(tx, tenantId)
    .leftJoin("members as revoker", sameTenant("revoker", "connection", "member_id", "revoked_by"))
    .select([
      "connection.connection_id as id",
      "connection.client_id as clientId",
      "connection.client_name as clientName",
      "connection.client_uri as clientUri",
      "connection.answered_at_host as answeredAtHost",
      "connection.scopes",
      "connection.created_at as createdAt",
      "connection.last_used_at as lastUsedAt",
      "connection.revoked_at as revokedAt",
      "member.email",
      "member.name",
      "revoker.email as revokedBy",
    ])
    .$if(memberId !== null, (query) => query.where("connection.member_id", "=", memberId ?? ""))
    .orderBy("connection.revoked_at", "desc")
    .orderBy("connection.created_at", "desc")
    .orderBy("connection.connection_id");
  const live = await found.where("connection.revoked_at", "is", null).execute();
  const ended = await found.where("connection.revoked_at", "is not", null).limit(MOST_ENDED).execute();
  return [...live, ...ended];
}

export async function insertAssistantConnection(
  tx: Transaction,
  row: Insertable<AssistantConnectionRow>,
): Promise<void> {
  await addRoutes(tx, row.tenant_id, [
    { kind: "connection", key: row.connection_id },
    { kind: "client", key: row.client_id },
  ]);
  await tx.insertInto("assistant_connections").values(row).execute();
}

/** A connection, its owner, and the signed-in person's membership there; undefined without one. Locked on request. */
export function selectPermissionsFor(tx: Transaction, connectionId: string, who: SignedIn, hold?: "locked") {
  return ofTenantAt(tx, { kind: "connection", key: connectionId }, async (tenantId) =>
    who.tenantId === null || who.tenantId === tenantId
      ? permissionsIn(tx, { tenantId, connectionId, who }, hold)
      : undefined,
  );
}

function permissionsIn(
  tx: Transaction,
  { tenantId, connectionId, who }: { tenantId: string; connectionId: string; who: SignedIn },
  hold?: "locked",
) {
  const found = tx
    .selectFrom("assistant_connections as connection")
    .innerJoin("members as viewer", "viewer.tenant_id", "connection.tenant_id")
    .innerJoin("tenants as tenant", "tenant.tenant_id", "connection.tenant_id")
    .innerJoin("members as owner", sameTenant("owner", "connection", "member_id"))
    .select(["connection.tenant_id", "connection.connection_id", "connection.client_name", "connection.revoked_at"])
    .select(["connection.scopes", "connection.given_scopes", "connection.withheld_scopes", "tenant.assistants"])
    .select(["connection.member_id as owner_id", "viewer.member_id as viewer_id", "viewer.role", "owner.email"])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom("external_connections as external")
          .select("external.connection_id")
          .where("external.tenant_id", "=", tenantId)
          .whereRef("external.connection_id", "=", "connection.connection_id"),
      )
        .$castTo<boolean>()
        .as("is_external"),
    )
    .where((column) => column.and({ "connection.tenant_id": tenantId, "connection.connection_id": connectionId }))
    .where((column) => column.and({ "viewer.tenant_id": tenantId, "viewer.person_id": who.personId }))
    .where((column) => column.and({ "viewer.removed_at": null, "tenant.tenant_id": tenantId }))
    .where("owner.tenant_id", "=", tenantId)
    .where(countsIn(who, tenantId));
  if (hold === undefined) return found.executeTakeFirst();
  return found.forUpdate("connection").forShare(["viewer", "tenant"]).executeTakeFirst();
}

/** Changes a connection's scopes. */
export async function updatePermissions(
  tx: Transaction,
  { tenantId, connectionId }: { tenantId: string; connectionId: string },
  permissions: Updateable<Pick<AssistantConnectionRow, `${"" | "asked_" | "given_" | "withheld_"}scopes`>>,
): Promise<void> {
  await tx
    .updateTable("assistant_connections")
    .set(permissions)
    .where((column) => column.and({ tenant_id: tenantId, connection_id: connectionId }))
    .execute();
}

/** The email of the person who approved a connection. */
export async function selectOwnerEmail(
  tx: Transaction,
  { tenantId, connectionId }: { tenantId: string; connectionId: string },
): Promise<string> {
  const row = await connectionsOfMembers(tx, tenantId)
    .select("member.email")
    .where("connection.connection_id", "=", connectionId)
    .executeTakeFirstOrThrow();
  return row.email;
}

/** A live connection of a live member, with what decides its scopes; undefined for any other. */
export function selectLiveConnection(tx: Transaction, connectionId: string, personId: string) {
  return ofTenantAt(tx, { kind: "connection", key: connectionId }, (tenantId) =>
    connectionsOfMembers(tx, tenantId)
      .innerJoin("tenants as tenant", "tenant.tenant_id", "connection.tenant_id")
      .select(["connection.tenant_id", "connection.asked_scopes", "member.role", "tenant.assistants"])
      .where((column) => column.and({ "connection.connection_id": connectionId, "connection.revoked_at": null }))
      .where("tenant.tenant_id", "=", tenantId)
      .where((column) => column.and({ "member.person_id": personId, "member.removed_at": null }))
      .executeTakeFirst(),
  );
}

/** The connections to end: one, or all of a member. */
export type ConnectionsToEnd = { connectionId: string } | { tenantId: string; memberId: string };

type LiveConnection = Pick<AssistantConnectionRow, "tenant_id" | "connection_id">;

/** The live connections among them. */
export function selectLive(tx: Transaction, which: ConnectionsToEnd): Promise<LiveConnection[]> {
  const live = (tenantId: string) =>
    tx
      .selectFrom("assistant_connections")
      .select(["tenant_id", "connection_id"])
      .where((column) => column.and({ tenant_id: tenantId, revoked_at: null }));
  if ("memberId" in which) return live(which.tenantId).where("member_id", "=", which.memberId).execute();
  const { connectionId } = which;
  return ofTenantsAt(tx, { kind: "connection", key: connectionId }, (tenantId) =>
    live(tenantId).where("connection_id", "=", connectionId).execute(),
  );
}

/** Marks a live connection as revoked; false when it was already. */
export async function tombstoneConnection(
  tx: Transaction,
  { tenantId, connectionId }: { tenantId: string; connectionId: string },
  revoked: { revoked_at: string; revoked_by: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("assistant_connections")
    .set(revoked)
    .where((column) => column.and({ tenant_id: tenantId, connection_id: connectionId, revoked_at: null }))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Whether an account with this id exists. */
export async function personExists(tx: Transaction, personId: string): Promise<boolean> {
  const row = await tx.selectFrom("people").select("person_id").where("person_id", "=", personId).executeTakeFirst();
  return row !== undefined;
}

/** Whether a member ever had a connection with a client. */
export async function hasHadConnection(
  tx: Transaction,
  { tenantId, memberId, clientId }: { tenantId: string; memberId: string; clientId: string },
): Promise<boolean> {
  const row = await tx
    .selectFrom("assistant_connections")
    .select("connection_id")
    .where((column) => column.and({ tenant_id: tenantId, member_id: memberId, client_id: clientId }))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Workspaces that are searched for an approval of a client; a client with more approvals has one among them. */
const MOST_ASKED = 20;

/** Whether any approval of a client is in force. */
export async function hasLiveConnection(tx: Transaction, clientId: string): Promise<boolean> {
  for (const tenantId of await tenantsAt(tx, { kind: "client", key: clientId }, MOST_ASKED)) {
    const row = await tx
      .selectFrom("assistant_connections")
      .select("connection_id")
      .where((column) => column.and({ tenant_id: tenantId, client_id: clientId, revoked_at: null }))
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) return true;
  }
  return false;
}

/** An approved client, by its redirect address, and the person who approved it. */
export interface AnsweredClient {
  who: SignedIn;
  clientId: string;
  answeredAtHost: string;
}

/** A person's live connections of a client with that redirect host, in all workspaces their sign-in counts for. */
export function selectConnectionsWith(tx: Transaction, asked: AnsweredClient, hold?: "locked") {
  const { personId, tenantId: only } = asked.who;
  return ofTenantsAt(
    tx,
    { kind: "person", key: personId },
    (tenantId) => {
      const found = connectionsWithIn(tx, tenantId, asked);
      return (hold === undefined ? found : found.forUpdate(["connection", "member"])).execute();
    },
    only,
  );
}

function connectionsWithIn(tx: Transaction, tenantId: string, { who, clientId, answeredAtHost }: AnsweredClient) {
  return connectionsOfMembers(tx, tenantId)
    .innerJoin("tenants as tenant", "tenant.tenant_id", "connection.tenant_id")
    .select([
      "connection.tenant_id",
      "connection.connection_id",
      "connection.member_id",
      "connection.scopes",
      "connection.asked_scopes",
      "connection.created_at",
      "member.role",
      "tenant.assistants",
    ])
    .where((column) => column.and({ "tenant.tenant_id": tenantId, "member.person_id": who.personId }))
    .where("member.removed_at", "is", null)
    .where(countsIn(who, tenantId))
    .where((column) => column.and({ "connection.client_id": clientId, "connection.answered_at_host": answeredAtHost }))
    .where("connection.revoked_at", "is", null);
}

import type { Insertable } from "kysely";
import type { Transaction } from "../src/store/store.ts";
import type { AssistantConnectionRow } from "../src/store/tables/identity.ts";
import type { SignedIn } from "./session-queries.ts";

/** The workspaces a person is a live member of, of those their sign-in counts for, by name. */
export function selectMemberships(tx: Transaction, { personId, tenantId }: SignedIn) {
  return tx
    .selectFrom("members as member")
    .innerJoin("tenants as tenant", "tenant.tenant_id", "member.tenant_id")
    .select([
      "tenant.tenant_id",
      "tenant.name",
      "tenant.timezone",
      "tenant.assistant_access",
      "tenant.assistants",
      "member.member_id",
      "member.role",
    ])
    .where("member.person_id", "=", personId)
    .where("member.removed_at", "is", null)
    .$if(tenantId !== null, (query) => query.where("member.tenant_id", "=", tenantId ?? ""))
    .orderBy("tenant.name")
    .orderBy("tenant.tenant_id");
}

/** Connections with their members, of every workspace. */
function connectionsOfMembers(tx: Transaction) {
  return tx
    .selectFrom("assistant_connections as connection")
    .innerJoin("members as member", (join) =>
      join
        .onRef("member.tenant_id", "=", "connection.tenant_id")
        .onRef("member.member_id", "=", "connection.member_id"),
    );
}

/** A workspace's connections, the live ones first, then newest first; of one member alone where `memberId` is given. */
export function selectConnections(tx: Transaction, tenantId: string, memberId: string | null) {
  return connectionsOfMembers(tx)
    .innerJoin("people as person", "person.person_id", "member.person_id")
    .leftJoin("members as revoker", (join) =>
      join
        .onRef("revoker.tenant_id", "=", "connection.tenant_id")
        .onRef("revoker.member_id", "=", "connection.revoked_by"),
    )
    .leftJoin("people as revoking_person", "revoking_person.person_id", "revoker.person_id")
    .select([
      "connection.connection_id",
      "connection.client_id",
      "connection.client_name",
      "connection.client_uri",
      "connection.answered_at_host",
      "connection.scopes",
      "connection.created_at",
      "connection.last_used_at",
      "connection.revoked_at",
      "person.email",
      "person.name",
      "revoking_person.email as revoked_by_email",
    ])
    .where("connection.tenant_id", "=", tenantId)
    .$if(memberId !== null, (query) => query.where("connection.member_id", "=", memberId ?? ""))
    .orderBy((column) => column("connection.revoked_at", "is not", null))
    .orderBy("connection.created_at", "desc")
    .orderBy("connection.connection_id")
    .execute();
}

export async function insertAssistantConnection(
  tx: Transaction,
  row: Insertable<AssistantConnectionRow>,
): Promise<void> {
  await tx.insertInto("assistant_connections").values(row).execute();
}

/** A connection, its owner, and the signed-in person's membership of its workspace; undefined without one; held where asked. */
export function selectPermissionsFor(
  tx: Transaction,
  connectionId: string,
  { personId, tenantId }: SignedIn,
  hold?: "locked",
) {
  const found = tx
    .selectFrom("assistant_connections as connection")
    .innerJoin("members as viewer", "viewer.tenant_id", "connection.tenant_id")
    .innerJoin("tenants as tenant", "tenant.tenant_id", "connection.tenant_id")
    .innerJoin("members as owner", (join) =>
      join.onRef("owner.tenant_id", "=", "connection.tenant_id").onRef("owner.member_id", "=", "connection.member_id"),
    )
    .innerJoin("people as person", "person.person_id", "owner.person_id")
    .select(["connection.tenant_id", "connection.connection_id", "connection.client_name", "connection.revoked_at"])
    .select(["connection.scopes", "connection.given_scopes", "connection.withheld_scopes", "tenant.assistants"])
    .select(["connection.member_id as owner_id", "viewer.member_id as viewer_id", "viewer.role", "person.email"])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom("external_connections as external")
          .select("external.connection_id")
          .whereRef("external.tenant_id", "=", "connection.tenant_id")
          .whereRef("external.connection_id", "=", "connection.connection_id"),
      )
        .$castTo<boolean>()
        .as("is_external"),
    )
    .where("connection.connection_id", "=", connectionId)
    .where("viewer.person_id", "=", personId)
    .where("viewer.removed_at", "is", null)
    .$if(tenantId !== null, (query) => query.where("viewer.tenant_id", "=", tenantId ?? ""));
  if (hold === undefined) return found.executeTakeFirst();
  return found.forUpdate("connection").forShare(["viewer", "tenant"]).executeTakeFirst();
}

/** Changes what a connection has (each space-separated). */
export async function updatePermissions(
  tx: Transaction,
  { tenantId, connectionId }: { tenantId: string; connectionId: string },
  permissions: { scopes: string; given_scopes?: string; withheld_scopes?: string },
): Promise<void> {
  await tx
    .updateTable("assistant_connections")
    .set(permissions)
    .where("tenant_id", "=", tenantId)
    .where("connection_id", "=", connectionId)
    .execute();
}

/** The email of the person who approved a connection. */
export async function selectOwnerEmail(
  tx: Transaction,
  { tenantId, connectionId }: { tenantId: string; connectionId: string },
): Promise<string> {
  const row = await connectionsOfMembers(tx)
    .innerJoin("people as person", "person.person_id", "member.person_id")
    .select("person.email")
    .where("connection.tenant_id", "=", tenantId)
    .where("connection.connection_id", "=", connectionId)
    .executeTakeFirstOrThrow();
  return row.email;
}

/** The tenant of a connection that is live, and whose person is a live member; undefined otherwise. */
export function selectLiveConnection(tx: Transaction, connectionId: string, personId: string) {
  return connectionsOfMembers(tx)
    .select("connection.tenant_id")
    .where("connection.connection_id", "=", connectionId)
    .where("connection.revoked_at", "is", null)
    .where("member.person_id", "=", personId)
    .where("member.removed_at", "is", null)
    .executeTakeFirst();
}

/** Which connections to end: one, or all that a member has. */
export type ConnectionsToEnd = { connectionId: string } | { tenantId: string; memberId: string };

type LiveConnection = Pick<AssistantConnectionRow, "tenant_id" | "connection_id">;

/** The live connections among them. */
export function selectLive(tx: Transaction, which: ConnectionsToEnd): Promise<LiveConnection[]> {
  const live = tx
    .selectFrom("assistant_connections")
    .select(["tenant_id", "connection_id"])
    .where("revoked_at", "is", null);
  if ("connectionId" in which) return live.where("connection_id", "=", which.connectionId).execute();
  return live.where("tenant_id", "=", which.tenantId).where("member_id", "=", which.memberId).execute();
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
    .where("tenant_id", "=", tenantId)
    .where("connection_id", "=", connectionId)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Whether there is such a person. */
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
    .where("tenant_id", "=", tenantId)
    .where("member_id", "=", memberId)
    .where("client_id", "=", clientId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether anybody's approval of a client stands. */
export async function hasLiveConnection(tx: Transaction, clientId: string): Promise<boolean> {
  const row = await tx
    .selectFrom("assistant_connections")
    .select("connection_id")
    .where("client_id", "=", clientId)
    .where("revoked_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** A client that has been approved, by its redirect address, and who approved it. */
export interface AnsweredClient {
  who: SignedIn;
  clientId: string;
  answeredAtHost: string;
}

/** The live connections that a person has with a client, answered at that host; in every workspace their sign-in counts for. */
export function selectConnectionsWith(tx: Transaction, { who, clientId, answeredAtHost }: AnsweredClient) {
  return connectionsOfMembers(tx)
    .innerJoin("tenants as tenant", "tenant.tenant_id", "connection.tenant_id")
    .select([
      "connection.tenant_id",
      "connection.connection_id",
      "connection.member_id",
      "connection.scopes",
      "connection.created_at",
      "member.role",
      "tenant.assistants",
    ])
    .where("member.person_id", "=", who.personId)
    .where("member.removed_at", "is", null)
    .$if(who.tenantId !== null, (query) => query.where("member.tenant_id", "=", who.tenantId ?? ""))
    .where("connection.client_id", "=", clientId)
    .where("connection.answered_at_host", "=", answeredAtHost)
    .where("connection.revoked_at", "is", null);
}

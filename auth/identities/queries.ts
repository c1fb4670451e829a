import { sameTenant } from "../../src/core/kernel/same-tenant.ts";
import { addRoutes, ofTenantsAt } from "../../src/store/identity/tenant-routes.ts";
import type { Transaction } from "../../src/store/store.ts";
import type { MemberIdentityRow } from "../../src/store/tables/identity.ts";

/** A person as an issuer identifies them. */
export interface Identity {
  issuer: string;
  subject: string;
}

/** All links of an issuer's subject, ended ones too, in one workspace or in all, with their members. */
export function selectIdentities(tx: Transaction, identity: Identity, tenantId: string | null) {
  const route = { kind: "identity", key: identity.subject } as const;
  return ofTenantsAt(tx, route, (id) => identitiesIn(tx, identity, id), tenantId);
}

function identitiesIn(tx: Transaction, { issuer, subject }: Identity, tenantId: string) {
  return tx
    .selectFrom("member_identities as identity")
    .innerJoin("members as member", sameTenant("member", "identity", "member_id"))
    .innerJoin("tenants as tenant", "tenant.tenant_id", "identity.tenant_id")
    .select(["identity.tenant_id", "identity.identity_id", "identity.removed_at"])
    .select(["member.member_id", "member.person_id", "member.role", "member.removed_at as member_removed_at"])
    .select(["tenant.assistant_access", "tenant.assistants"])
    .where((column) => column.and({ "identity.issuer": issuer, "identity.subject": subject }))
    .where("identity.tenant_id", "=", tenantId)
    .execute();
}

/** A live member by email (lower case), in one workspace or in all; locked, so that links are made one at a time. */
export async function selectMembersByEmail(tx: Transaction, email: string, tenantId: string | null) {
  const person = await tx.selectFrom("people").select("person_id").where("email", "=", email).executeTakeFirst();
  if (person === undefined) return [];
  const route = { kind: "person", key: person.person_id } as const;
  return ofTenantsAt(tx, route, (id) => lockMembersOf(tx, id, person.person_id), tenantId);
}

function lockMembersOf(tx: Transaction, tenantId: string, personId: string) {
  return tx
    .selectFrom("members")
    .select(["tenant_id", "member_id", "person_id"])
    .where((column) => column.and({ tenant_id: tenantId, person_id: personId, removed_at: null }))
    .forNoKeyUpdate()
    .execute();
}

/** The live links of a workspace, by email. */
export function selectLinks(tx: Transaction, tenantId: string) {
  return tx
    .selectFrom("member_identities as identity")
    .innerJoin("members as member", sameTenant("member", "identity", "member_id"))
    .select([
      "identity.identity_id as id",
      "member.email",
      "identity.issuer",
      "identity.subject",
      "identity.created_at",
    ])
    .select(["identity.member_id", "member.person_id"])
    .where((column) => column.and({ "identity.tenant_id": tenantId, "identity.removed_at": null }))
    .orderBy("member.email")
    .orderBy("identity.created_at");
}

export async function insertIdentity(tx: Transaction, row: MemberIdentityRow): Promise<void> {
  await addRoutes(tx, row.tenant_id, [{ kind: "identity", key: row.subject }]);
  await tx.insertInto("member_identities").values(row).execute();
}

/** Removes a link; false if it was removed already. */
export async function tombstoneIdentity(
  tx: Transaction,
  { tenantId, identityId, now }: { tenantId: string; identityId: string; now: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("member_identities")
    .set({ removed_at: now })
    .where((column) => column.and({ tenant_id: tenantId, identity_id: identityId, removed_at: null }))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Whether a link is live, which does not change until the transaction ends; concurrent callers wait for each other. */
export async function lockIdentity(
  tx: Transaction,
  { tenantId, identityId }: { tenantId: string; identityId: string },
): Promise<boolean> {
  const row = await tx
    .selectFrom("member_identities")
    .select("identity_id")
    .where((column) => column.and({ tenant_id: tenantId, identity_id: identityId, removed_at: null }))
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * The live connections that end with a member's link: those that tokens of an external issuer opened through it, and
 * all that the member approved here, since they do not record the sign-in.
 */
export async function selectConnectionsEndingWith(
  tx: Transaction,
  { tenantId, identityId, memberId }: { tenantId: string; identityId: string; memberId: string },
): Promise<string[]> {
  const rows = await tx
    .selectFrom("assistant_connections as connection")
    .leftJoin("external_connections as external", sameTenant("connection", "external", "connection_id"))
    .select("connection.connection_id")
    .where((column) => column.and({ "connection.tenant_id": tenantId, "connection.member_id": memberId }))
    .where(({ or, eb }) => or([eb("external.identity_id", "=", identityId), eb("external.connection_id", "is", null)]))
    .where("connection.revoked_at", "is", null)
    .execute();
  return rows.map((row) => row.connection_id);
}

import type { Role } from "../../src/core/gate/actor.ts";
import { addRoutes, tenantsAt } from "../../src/store/identity/tenant-routes.ts";
import { holdName } from "../../src/store/named-lock.ts";
import { touchMember } from "../../src/store/renamed-members.ts";
import type { Transaction } from "../../src/store/store.ts";
import type { MemberRow, PersonRow } from "../../src/store/tables/workspace.ts";

/**
 * Inserts a person without a password, or updates the name of the person with that email where given, in all their
 * workspaces; returns the result, locked until the transaction ends.
 */
export async function upsertPerson(
  tx: Transaction,
  row: Omit<PersonRow, "password_hash">,
): Promise<Pick<PersonRow, "person_id" | "email" | "name">> {
  const person = await tx
    .insertInto("people")
    .values({ ...row, password_hash: null })
    .onConflict((conflict) =>
      conflict.column("email").doUpdateSet((person) => ({ name: row.name ?? person.ref("people.name") })),
    )
    .returning(["person_id", "email", "name"])
    .executeTakeFirstOrThrow();
  if (row.name !== null)
    for (const tenantId of await tenantsAt(tx, { kind: "person", key: person.person_id })) {
      const renamed = await tx
        .updateTable("members")
        .set({ name: person.name })
        .where((column) => column.and({ tenant_id: tenantId, person_id: person.person_id }))
        .where("name", "is distinct from", person.name)
        .returning("member_id")
        .execute();
      for (const { member_id: memberId } of renamed) await touchMember(tx, { tenantId, memberId, at: row.created_at });
    }
  return person;
}

/** The address at which a person is told of changes of their account. */
export async function emailOfPerson(tx: Transaction, personId: string): Promise<string> {
  const person = tx.selectFrom("people").select("email").where("person_id", "=", personId);
  return (await person.executeTakeFirstOrThrow()).email;
}

/** Replaces a person's password; false if its hash is not `from`, where that is given. */
export async function setPassword(
  tx: Transaction,
  personId: string,
  { from, to }: { from?: string | undefined; to: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("people")
    .set({ password_hash: to })
    .where("person_id", "=", personId)
    .$if(from !== undefined, (query) => query.where("password_hash", "=", from ?? ""))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The person and workspace of a membership. */
export async function personOf(tx: Transaction, tenantId: string, memberId: string): Promise<string> {
  const { person_id: personId } = await tx
    .selectFrom("members")
    .select("person_id")
    .where((column) => column.and({ tenant_id: tenantId, member_id: memberId }))
    .executeTakeFirstOrThrow();
  return personId;
}

/** Ends every browser session of a person. */
export async function deleteSessionsOf(tx: Transaction, personId: string): Promise<void> {
  await tx.deleteFrom("web_sessions").where("person_id", "=", personId).execute();
}

/** Adds the person as a member, or changes a member's role; returns the member's id. */
export async function upsertMember(tx: Transaction, row: MemberRow): Promise<string> {
  await addRoutes(tx, row.tenant_id, [{ kind: "person", key: row.person_id }]);
  const { member_id: memberId } = await tx
    .insertInto("members")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["tenant_id", "person_id"])
        .where("removed_at", "is", null)
        .doUpdateSet({ role: row.role, name: row.name }),
    )
    .returning("member_id")
    .executeTakeFirstOrThrow();
  await tx
    .insertInto("member_news")
    .values({ tenant_id: row.tenant_id, member_id: memberId, told_until: row.created_at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return memberId;
}

export async function updateMember(
  tx: Transaction,
  { tenantId, memberId }: { tenantId: string; memberId: string },
  change: { role: Role } | { removed_at: string },
): Promise<void> {
  const key = { tenant_id: tenantId, member_id: memberId };
  await tx
    .updateTable("members")
    .set(change)
    .where((column) => column.and(key))
    .execute();
  if (!("removed_at" in change)) return;
  await tx
    .deleteFrom("member_news")
    .where((column) => column.and(key))
    .execute();
  await touchMember(tx, { tenantId, memberId, at: change.removed_at });
}

/** The current members of a workspace. */
export function selectMembers(tx: Transaction, tenantId: string) {
  return tx
    .selectFrom("members as member")
    .select(["member.member_id as id", "member.email", "member.name", "member.role", "member.created_at"])
    .where((column) => column.and({ "member.tenant_id": tenantId, "member.removed_at": null }))
    .orderBy("member.email");
}

/**
 * Has changes of who is an admin of a workspace come one after the other, until the transaction ends. Rows are not locked: an
 * act of another admin, which holds theirs, would keep in who is to be removed.
 */
export const lockAdmins = (tx: Transaction, tenantId: string) => holdName(tx, `admins of ${tenantId}`);

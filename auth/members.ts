import { z } from "zod";
import type { Role } from "../src/core/actor.ts";
import { type Core, nowOf } from "../src/core/core.ts";
import { notFound } from "../src/core/error.ts";
import { recordOperatorAct } from "../src/core/operator.ts";
import type { Transaction } from "../src/store/store.ts";
import { revokeConnectionsOf } from "./connections.ts";
import { hashPassword } from "./passwords.ts";

/** A person in one workspace (completions §1). */
export interface Member {
  id: string;
  email: string;
  name: string | null;
  role: Role;
  created_at: string;
}

/** How an email and a password are read from outside. */
export const Email = z.string().trim().toLowerCase().pipe(z.email("must be an email address").max(254));
export const Password = z
  .string()
  .min(12, "must have at least 12 characters")
  .max(1_000, "must have at most 1000 characters");

interface MemberToAdd {
  /** Lower case. */
  email: string;
  role: Role;
  /** What the person signs in with, from now on and in every workspace of theirs. */
  password?: string | undefined;
  name?: string | undefined;
}

/**
 * Makes a person a member; who was one already gets the role. A person nobody knew is made, and a given password
 * replaces theirs and signs them out of every browser.
 */
export async function addMember(core: Core, tenantId: string, input: MemberToAdd): Promise<Member> {
  const passwordHash = input.password === undefined ? null : await hashPassword(input.password);
  return core.store.system(async (tx) => {
    const person = await tx
      .insertInto("people")
      .values({
        person_id: core.newId(),
        email: input.email,
        name: input.name ?? null,
        password_hash: passwordHash,
        created_at: nowOf(core),
      })
      .onConflict((conflict) =>
        conflict.column("email").doUpdateSet((row) => ({
          password_hash: passwordHash ?? row.ref("people.password_hash"),
          name: input.name ?? row.ref("people.name"),
        })),
      )
      .returning("person_id")
      .executeTakeFirstOrThrow();
    if (passwordHash !== null) await tx.deleteFrom("web_sessions").where("person_id", "=", person.person_id).execute();
    const { member_id: memberId } = await tx
      .insertInto("members")
      .values({
        tenant_id: tenantId,
        member_id: core.newId(),
        person_id: person.person_id,
        role: input.role,
        created_at: nowOf(core),
        removed_at: null,
      })
      .onConflict((conflict) =>
        conflict.columns(["tenant_id", "person_id"]).where("removed_at", "is", null).doUpdateSet({ role: input.role }),
      )
      .returning("member_id")
      .executeTakeFirstOrThrow();
    await record(core, tx, { tenantId, memberId, operation: "addMember" });
    return read(tx, tenantId, input.email);
  });
}

/** Changes a member's role, from their next call on. Throws `not_found`. */
export function setRole(core: Core, tenantId: string, { email, role }: { email: string; role: Role }): Promise<Member> {
  return core.store.system(async (tx) => {
    const member = await read(tx, tenantId, email);
    await tx
      .updateTable("members")
      .set({ role })
      .where("tenant_id", "=", tenantId)
      .where("member_id", "=", member.id)
      .execute();
    await record(core, tx, { tenantId, memberId: member.id, operation: "setMemberRole" });
    return { ...member, role };
  });
}

/** Ends a membership and every assistant connection made under it, at once. The rows stay. Throws `not_found`. */
export async function removeMember(core: Core, tenantId: string, email: string): Promise<Member> {
  const member = await core.store.system(async (tx) => {
    const found = await read(tx, tenantId, email);
    await tx
      .updateTable("members")
      .set({ removed_at: nowOf(core) })
      .where("tenant_id", "=", tenantId)
      .where("member_id", "=", found.id)
      .execute();
    await record(core, tx, { tenantId, memberId: found.id, operation: "removeMember" });
    return found;
  });
  await revokeConnectionsOf(core, { tenantId, memberId: member.id });
  return member;
}

/** The members a workspace has now, by email. */
export function listMembers(core: Pick<Core, "store">, tenantId: string): Promise<Member[]> {
  return core.store.system((tx) => present(tx, tenantId).orderBy("person.email").execute());
}

function present(tx: Transaction, tenantId: string) {
  return tx
    .selectFrom("members as member")
    .innerJoin("people as person", "person.person_id", "member.person_id")
    .select(["member.member_id as id", "person.email", "person.name", "member.role", "member.created_at"])
    .where("member.tenant_id", "=", tenantId)
    .where("member.removed_at", "is", null);
}

async function read(tx: Transaction, tenantId: string, email: string): Promise<Member> {
  const member = await present(tx, tenantId).where("person.email", "=", email).executeTakeFirst();
  if (member === undefined) throw notFound("member");
  return member;
}

function record(
  core: Core,
  tx: Transaction,
  { tenantId, memberId, operation }: { tenantId: string; memberId: string; operation: string },
): Promise<void> {
  return recordOperatorAct(tx, core, { tenantId, operation, objectType: "member", objectId: memberId });
}

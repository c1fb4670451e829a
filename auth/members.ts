import { z } from "zod";
import type { Role } from "../src/core/actor.ts";
import { type Core, nowOf } from "../src/core/core.ts";
import { notFound } from "../src/core/error.ts";
import { recordOperatorAct } from "../src/core/operator.ts";
import type { Transaction } from "../src/store/store.ts";
import { revokeConnectionsOf } from "./connections.ts";
import { deleteSessionsOf, selectMembers, updateMember, upsertMember, upsertPerson } from "./member-queries.ts";
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
  const { email, role, name = null, password } = input;
  const passwordHash = password === undefined ? null : await hashPassword(password);
  const now = nowOf(core);
  return core.store.system(async (tx) => {
    const person = { person_id: core.newId(), email, name, password_hash: passwordHash, created_at: now };
    const personId = await upsertPerson(tx, person);
    if (passwordHash !== null) await deleteSessionsOf(tx, personId);
    const member = { tenant_id: tenantId, member_id: core.newId(), person_id: personId, role };
    const memberId = await upsertMember(tx, { ...member, created_at: now, removed_at: null });
    await record(core, tx, { tenantId, memberId, operation: "addMember" });
    return readMember(tx, tenantId, email);
  });
}

/** Changes a member's role, from their next call on. Throws `not_found`. */
export function setRole(core: Core, tenantId: string, { email, role }: { email: string; role: Role }): Promise<Member> {
  return core.store.system(async (tx) => {
    const member = await readMember(tx, tenantId, email);
    await updateMember(tx, { tenantId, memberId: member.id }, { role });
    await record(core, tx, { tenantId, memberId: member.id, operation: "setMemberRole" });
    return { ...member, role };
  });
}

/**
 * Ends a membership and every assistant connection made under it, at once: without the membership a connection is let
 * nowhere, whatever comes between the two. The rows stay. Throws `not_found`.
 */
export async function removeMember(core: Core, tenantId: string, email: string): Promise<Member> {
  const member = await core.store.system(async (tx) => {
    const found = await readMember(tx, tenantId, email);
    await updateMember(tx, { tenantId, memberId: found.id }, { removed_at: nowOf(core) });
    await record(core, tx, { tenantId, memberId: found.id, operation: "removeMember" });
    return found;
  });
  await revokeConnectionsOf(core, { tenantId, memberId: member.id });
  return member;
}

/** The members a workspace has now, by email. */
export function listMembers(core: Pick<Core, "store">, tenantId: string): Promise<Member[]> {
  return core.store.system((tx) => selectMembers(tx, tenantId).execute());
}

async function readMember(tx: Transaction, tenantId: string, email: string): Promise<Member> {
  const member = await selectMembers(tx, tenantId).where("person.email", "=", email).executeTakeFirst();
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

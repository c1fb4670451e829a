import { z } from "zod";
import type { Role } from "../src/core/actor.ts";
import { type Core, nowOf } from "../src/core/core.ts";
import { notFound, ServiceError } from "../src/core/error.ts";
import { withdrawInvitationsOf } from "../src/core/invitations/queries.ts";
import { type PageAdmin, recordAdminAct } from "../src/core/operator.ts";
import { stopping } from "../src/core/stopping.ts";
import { lockAdmin } from "../src/store/authority.ts";
import type { Transaction } from "../src/store/store.ts";
import { revokeConnectionsOf } from "./connections.ts";
import {
  deleteSessionsOf,
  lockAdmins,
  selectMembers,
  updateMember,
  upsertMember,
  upsertPerson,
} from "./member-queries.ts";
import { hashPassword } from "./passwords.ts";

/** Topics of the notices that a member was removed, or is no admin any more; the payload is their id. */
export const MEMBER_REMOVED = "member_removed";
export const MEMBER_DEMOTED = "member_demoted";

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
  const add = () =>
    core.store.system(async (tx) => {
      const person = { person_id: core.newId(), email, name, password_hash: passwordHash, created_at: now };
      const personId = await upsertPerson(tx, person);
      if (passwordHash !== null) await deleteSessionsOf(tx, personId);
      const member = { tenant_id: tenantId, member_id: core.newId(), person_id: personId, role };
      const memberId = await upsertMember(tx, { ...member, created_at: now, removed_at: null });
      if (role !== "admin") await withdrawInvitationsOf(tx, { tenant_id: tenantId, invited_by: memberId }, now);
      await record(core, tx, { tenantId, memberId, operation: "addMember" });
      return readMember(tx, tenantId, { email });
    });
  return role === "admin" ? add() : stoppingMember(core, tenantId, { email }, MEMBER_DEMOTED, add);
}

/** Which member: operators know emails, pages ids. */
export type MemberRef = { email: string } | { memberId: string };

/**
 * Changes a member's role, from their next call on; a demotion withdraws the invitations they sent. Without `by` it is
 * an operator, who alone may leave a workspace without an admin. Throws `not_found`, `permission_denied`, `conflict`.
 */
export function setRole(
  core: Core,
  tenantId: string,
  { role, ...which }: MemberRef & { role: Role },
  by?: PageAdmin,
): Promise<Member> {
  const set = () =>
    core.store.system(async (tx) => {
      const member = await lockMember(tx, tenantId, which);
      await record(core, tx, { tenantId, memberId: member.id, operation: "setMemberRole" }, by);
      if (role !== "admin") await endAdmin(core, tx, tenantId, member, by);
      await updateMember(tx, { tenantId, memberId: member.id }, { role });
      return { ...member, role };
    });
  return role === "admin" ? set() : stoppingMember(core, tenantId, which, MEMBER_DEMOTED, set, by);
}

/**
 * Ends a membership and every assistant connection made under it, at once: without the membership a connection is let
 * nowhere, whatever comes between the two. The rows stay. `by` and errors as of {@link setRole}.
 */
export async function removeMember(core: Core, tenantId: string, which: MemberRef, by?: PageAdmin): Promise<Member> {
  const remove = () =>
    core.store.system(async (tx) => {
      const found = await lockMember(tx, tenantId, which);
      await record(core, tx, { tenantId, memberId: found.id, operation: "removeMember" }, by);
      await endAdmin(core, tx, tenantId, found, by);
      await updateMember(tx, { tenantId, memberId: found.id }, { removed_at: nowOf(core) });
      return found;
    });
  const member = await stoppingMember(core, tenantId, which, MEMBER_REMOVED, remove, by);
  await revokeConnectionsOf(core, { tenantId, memberId: member.id }, by);
  return member;
}

/** The members a workspace has now, by email. */
export function listMembers(core: Pick<Core, "store">, tenantId: string): Promise<Member[]> {
  return core.store.system((tx) => selectMembers(tx, tenantId).execute());
}

/** Makes a change that takes something from a member, and stops whatever their assistants are at. */
async function stoppingMember<T>(
  core: Core,
  tenantId: string,
  which: MemberRef,
  topic: typeof MEMBER_REMOVED | typeof MEMBER_DEMOTED,
  change: () => Promise<T>,
  by?: PageAdmin,
): Promise<T> {
  const member = await core.store.system(async (tx) => {
    const mayStop = by === undefined || (await lockAdmin(tx, { tenantId, memberId: by.memberId }));
    return mayStop ? findMember(tx, tenantId, which) : undefined;
  });
  return stopping(async () => {
    if (member !== undefined) await core.store.publish({ topic, payload: member.id });
  }, change);
}

function findMember(tx: Transaction, tenantId: string, which: MemberRef): Promise<Member | undefined> {
  const members = selectMembers(tx, tenantId);
  return (
    "email" in which
      ? members.where("person.email", "=", which.email)
      : members.where("member.member_id", "=", which.memberId)
  ).executeTakeFirst();
}

async function readMember(tx: Transaction, tenantId: string, which: MemberRef): Promise<Member> {
  const member = await findMember(tx, tenantId, which);
  if (member === undefined) throw notFound("member");
  return member;
}

/** Reads a member while nobody else changes who is an admin. */
async function lockMember(tx: Transaction, tenantId: string, which: MemberRef): Promise<Member> {
  await lockAdmins(tx, tenantId);
  return readMember(tx, tenantId, which);
}

/** What an admin's end brings with it. Throws `conflict` for the last one, unless an operator ends it. */
async function endAdmin(
  core: Core,
  tx: Transaction,
  tenantId: string,
  { id, role }: Member,
  by: PageAdmin | undefined,
): Promise<void> {
  if (role !== "admin") return;
  const admins = await lockAdmins(tx, tenantId);
  if (by !== undefined && admins.length < 2)
    throw new ServiceError("conflict", "A workspace keeps at least one admin. Make somebody else an admin first.");
  await withdrawInvitationsOf(tx, { tenant_id: tenantId, invited_by: id }, nowOf(core));
}

function record(
  core: Core,
  tx: Transaction,
  { tenantId, memberId, operation }: { tenantId: string; memberId: string; operation: string },
  by?: PageAdmin,
): Promise<void> {
  return recordAdminAct(tx, core, { tenantId, operation, objectType: "member", objectId: memberId }, by);
}

import { z } from "zod";
import { withdrawInvitationsOf } from "../../src/core/accounts/invitation-queries.ts";
import { ADMINS_READ, type Manager, operation } from "../../src/core/gate/operation.ts";
import { notFound, ServiceError } from "../../src/core/kernel/error.ts";
import { Uuid } from "../../src/core/kernel/wire-types.ts";
import type { Transaction } from "../../src/store/store.ts";
import { MAX_PASSWORD } from "../passwords.ts";
import { lockAdmins, selectMembers } from "./queries.ts";

/** Topics of the notices that a member was removed or demoted; the payload is their id. */
export const MEMBER_REMOVED = "member_removed";
export const MEMBER_DEMOTED = "member_demoted";

export const RoleSchema = z.enum(["admin", "member"], "must be admin or member").describe("what the person may do");

/** A person in one workspace (completions §1). */
export const MemberSchema = z.strictObject({
  id: Uuid,
  email: z.string(),
  name: z.string().nullable(),
  role: RoleSchema,
  created_at: z.string(),
});
export type Member = z.output<typeof MemberSchema>;

/** How email and password are parsed from input. */
export const Email = z.string().trim().toLowerCase().pipe(z.email("must be an email address").max(254));
export const Password = z
  .string()
  .min(12, "must have at least 12 characters")
  .max(MAX_PASSWORD, `must have at most ${MAX_PASSWORD} characters`);

/** How a member is named: by email at the terminal, by id on the pages. */
export const MemberRef = z.union([z.strictObject({ email: Email }), z.strictObject({ memberId: Uuid })]);
export type MemberRef = z.output<typeof MemberRef>;

/** The current members of a workspace, by email. */
export const listMembers = operation({
  id: "listMembers",
  summary: "The members of a workspace",
  ...ADMINS_READ,
  input: z.strictObject({}),
  output: z.array(MemberSchema),
  run: ({ tx, actor }) => selectMembers(tx, actor.tenantId).execute(),
});

/** The named member, if the workspace has them. */
export function findMember(tx: Transaction, tenantId: string, which: MemberRef): Promise<Member | undefined> {
  const members = selectMembers(tx, tenantId);
  return (
    "email" in which
      ? members.where("member.email", "=", which.email)
      : members.where("member.member_id", "=", which.memberId)
  ).executeTakeFirst();
}

/** The same. Throws `not_found`. */
export async function readMember(tx: Transaction, tenantId: string, which: MemberRef): Promise<Member> {
  const member = await findMember(tx, tenantId, which);
  if (member === undefined) throw noSuchMember(which);
  return member;
}

/** The same, one removal or demotion after the other, which the count of admins needs. Not for a promotion: it may wait for its member. */
export async function lockMember(tx: Transaction, tenantId: string, which: MemberRef): Promise<Member> {
  await lockAdmins(tx, tenantId);
  return readMember(tx, tenantId, which);
}

/** How the member was named, in errors for operators, who know emails. */
export function noSuchMember(which: MemberRef) {
  return "email" in which
    ? notFound("member", `with the email ${which.email}: member list shows all`)
    : notFound("member");
}

/** Withdraws the invitations of a former admin, whom {@link lockMember} found. Throws `conflict` for the last admin, unless an operator acts. */
export async function endAdmin(
  { tx, actor, now }: { tx: Transaction; actor: Manager; now: string },
  { id, role }: Member,
): Promise<void> {
  if (role !== "admin") return;
  const { tenantId } = actor;
  const admins = await selectMembers(tx, tenantId).where("member.role", "=", "admin").execute();
  if (actor.kind === "person" && admins.length < 2)
    throw new ServiceError("conflict", "A workspace keeps at least one admin. Make somebody else an admin first.");
  await withdrawInvitationsOf(tx, { tenant_id: tenantId, invited_by: id }, now);
}

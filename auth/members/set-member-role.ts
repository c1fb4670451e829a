import { z } from "zod";
import { changedSettings } from "../../src/core/gate/audit.ts";
import { operation, SETTINGS_CHANGE } from "../../src/core/gate/operation.ts";
import {
  endAdmin,
  findMember,
  lockMember,
  MEMBER_DEMOTED,
  MemberRef,
  MemberSchema,
  RoleSchema,
  readMember,
} from "./member.ts";
import { updateMember } from "./queries.ts";

/**
 * Changes a member's role, which takes effect on their next request; a demotion withdraws the invitations they sent.
 * Only an operator may leave a workspace without an admin. Throws `not_found`, `permission_denied`, `conflict`.
 */
export const setMemberRole = operation({
  id: "setMemberRole",
  summary: "Change a member's role, from their next call on",
  errors: ["conflict"],
  ...SETTINGS_CHANGE,
  sideEffects: "Counts from the member's next call on; a demotion stops what their assistants are writing.",
  input: z.strictObject({ member: MemberRef, role: RoleSchema }),
  output: MemberSchema,
  allTenants: true,
  async stops({ tx, actor }, { member: which, role }) {
    const member = role === "admin" ? undefined : await findMember(tx, actor.tenantId, which);
    return member === undefined ? [] : [{ topic: MEMBER_DEMOTED, payload: member.id }];
  },
  async run(context, { member: which, role }) {
    const { tx, actor, audit } = context;
    const { tenantId } = actor;
    const member = await (role === "admin" ? readMember : lockMember)(tx, tenantId, which);
    const details = changedSettings(member, { role });
    audit("changed" in details ? { type: "member", id: member.id, details } : null);
    if (role !== "admin") await endAdmin(context, member);
    if (member.role !== role) await updateMember(tx, { tenantId, memberId: member.id }, { role });
    return { ...member, role };
  },
});

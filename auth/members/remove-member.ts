import { z } from "zod";
import { operation, SETTINGS_CHANGE } from "../../src/core/gate/operation.ts";
import { workflowsOf } from "../../src/core/workflows/settings-queries.ts";
import { selectLive } from "../connection-queries.ts";
import { CONNECTION_REVOKED, endConnections } from "../connections.ts";
import { deleteVouchedSessions } from "../session-queries.ts";
import { endAdmin, findMember, lockMember, MEMBER_REMOVED, MemberRef, MemberSchema, noSuchMember } from "./member.ts";
import { personOf, updateMember } from "./queries.ts";

/**
 * Ends a membership and all its assistant connections at once; the rows stay. Only an operator may remove a workspace's
 * last admin. Throws `not_found`, `permission_denied`, `conflict`.
 */
export const removeMember = operation({
  id: "removeMember",
  summary: "End a membership and revoke every assistant connection of it, at once",
  errors: ["conflict"],
  ...SETTINGS_CHANGE,
  sideEffects: "Revokes the member's assistant connections and stops what they are at.",
  input: z.strictObject({ member: MemberRef }),
  output: MemberSchema.extend({
    assignee_of: z.array(z.string()).describe("Names of workflows that have no assignee now"),
  }),
  allTenants: true,
  async stops({ tx, actor }, { member: which }) {
    const { tenantId } = actor;
    const member = await findMember(tx, tenantId, which);
    if (member === undefined) return [];
    const live = await selectLive(tx, { tenantId, memberId: member.id });
    const revoked = live.map((connection) => ({ topic: CONNECTION_REVOKED, payload: connection.connection_id }));
    return [{ topic: MEMBER_REMOVED, payload: member.id }, ...revoked];
  },
  async run(context, { member: which }) {
    const { tx, actor, now, audit } = context;
    const { tenantId } = actor;
    // Locks connections before members, as a mutation of an assistant does: the other order would deadlock.
    const found = await findMember(tx, tenantId, which);
    if (found === undefined) throw noSuchMember(which);
    const live = await selectLive(tx, { tenantId, memberId: found.id });
    const ids = live.map((connection) => connection.connection_id);
    await endConnections(context, actor, ids);
    const member = await lockMember(tx, tenantId, which);
    audit({ type: "member", id: member.id });
    await endAdmin(context, member);
    await updateMember(tx, { tenantId, memberId: member.id }, { removed_at: now });
    // Added again, a member signs in again where the workspace's provider vouched for them before.
    await deleteVouchedSessions(tx, { tenantId, personId: await personOf(tx, tenantId, member.id) });
    const left = (await workflowsOf(tx, tenantId)).filter((workflow) => workflow.assignee_id === member.id);
    return { ...member, assignee_of: left.map((workflow) => workflow.name) };
  },
});

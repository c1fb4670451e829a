import { z } from "zod";
import { openInvitations } from "../../src/core/accounts/invitation-queries.ts";
import { ADMINS_READ, operation } from "../../src/core/gate/operation.ts";
import { RoleSchema } from "../members/member.ts";

/** A pending invitation; instants are ISO 8601 UTC. */
const Invitation = z.strictObject({
  id: z.string(),
  email: z.string(),
  role: RoleSchema,
  invitedBy: z.string().nullable(),
  createdAt: z.string(),
  expiresAt: z.string(),
});
export type Invitation = z.output<typeof Invitation>;

/** The pending invitations of a workspace, newest first. */
export const listInvitations = operation({
  id: "listInvitations",
  summary: "List invitations that wait for an answer",
  ...ADMINS_READ,
  input: z.strictObject({}),
  output: z.array(Invitation),
  async run({ tx, actor, now }) {
    const rows = await openInvitations(tx, actor.tenantId)
      .where("invitation.expires_at", ">", now)
      .orderBy("invitation.created_at", "desc")
      .orderBy("invitation.invitation_id")
      .execute();
    return rows.map((row) => ({
      id: row.invitation_id,
      email: row.email,
      role: row.role,
      invitedBy: row.inviter_email,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
    }));
  },
});

import { openInvitations } from "../../src/core/accounts/invitation-queries.ts";
import { type Core, nowOf } from "../../src/core/gate/dependencies.ts";

/** A pending invitation; instants are ISO 8601 UTC. */
export type Invitation = Awaited<ReturnType<typeof listInvitations>>[number];

/** The pending invitations of a workspace, newest first. */
export async function listInvitations(core: Pick<Core, "store" | "clock">, tenantId: string) {
  const rows = await core.store.read(tenantId, (tx) =>
    openInvitations(tx, tenantId)
      .where("invitation.expires_at", ">", nowOf(core))
      .orderBy("invitation.created_at", "desc")
      .orderBy("invitation.invitation_id")
      .execute(),
  );
  return rows.map((row) => ({
    id: row.invitation_id,
    email: row.email,
    role: row.role,
    invitedBy: row.inviter_email,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }));
}

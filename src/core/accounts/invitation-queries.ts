import { addRoutes, ofTenantAt } from "../../store/identity/tenant-routes.ts";
import type { Transaction } from "../../store/store.ts";
import type { InvitationRow } from "../../store/tables/workspace.ts";
import { sameTenant } from "../kernel/same-tenant.ts";

export async function insertInvitation(tx: Transaction, row: InvitationRow) {
  await addRoutes(tx, row.tenant_id, [{ kind: "invitation", key: row.token_hash }]);
  await tx.insertInto("invitations").values(row).execute();
}

/** Invitations nobody has accepted or withdrawn, expired ones too, with who invited and into what, unordered. */
export function openInvitations(tx: Transaction, tenantId: string) {
  return tx
    .selectFrom("invitations as invitation")
    .innerJoin("tenants as tenant", "tenant.tenant_id", "invitation.tenant_id")
    .innerJoin("members as inviter", sameTenant("inviter", "invitation", "member_id", "invited_by"))
    .select([
      "invitation.tenant_id",
      "invitation.invitation_id",
      "invitation.email",
      "invitation.token_hash",
      "invitation.role",
      "invitation.created_at",
      "invitation.expires_at",
      "tenant.name as workspace_name",
      "inviter.email as inviter_email",
      "inviter.name as inviter_name",
    ])
    .where("invitation.tenant_id", "=", tenantId)
    .where("invitation.accepted_at", "is", null)
    .where("invitation.withdrawn_at", "is", null);
}

/** An open invitation. */
export type OpenInvitation = Awaited<ReturnType<ReturnType<typeof openInvitations>["executeTakeFirstOrThrow"]>>;

/** The invitation of a token, for one who answers it `locked` until the transaction ends; its recipient is not checked. */
export function invitationOf(tx: Transaction, tokenHash: string, isLocked: boolean) {
  return ofTenantAt(tx, { kind: "invitation", key: tokenHash }, (tenantId) =>
    openInvitations(tx, tenantId)
      .where("invitation.token_hash", "=", tokenHash)
      .$if(isLocked, (open) => open.forUpdate("invitation"))
      .executeTakeFirst(),
  );
}

/** Ends an open invitation; false when it was not open any more. */
export async function endInvitation(
  tx: Transaction,
  { tenant_id, invitation_id }: Pick<InvitationRow, "tenant_id" | "invitation_id">,
  end: { accepted_at: string } | { withdrawn_at: string },
) {
  const { numUpdatedRows } = await tx
    .updateTable("invitations")
    .set(end)
    .where((column) => column.and({ tenant_id, invitation_id, accepted_at: null, withdrawn_at: null }))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Withdraws what is open of an address, or of who invited; how many there were. */
export async function withdrawInvitationsOf(
  tx: Transaction,
  which: Pick<InvitationRow, "tenant_id"> & ({ email: string } | { invited_by: string }),
  now: string,
) {
  const { numUpdatedRows } = await tx
    .updateTable("invitations")
    .set({ withdrawn_at: now })
    .where((column) => column.and({ ...which, accepted_at: null, withdrawn_at: null }))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

import { z } from "zod";
import { endInvitation } from "../../src/core/accounts/invitation-queries.ts";
import { operation } from "../../src/core/gate/operation.ts";
import { notFound } from "../../src/core/kernel/error.ts";
import { Uuid } from "../../src/core/kernel/wire-types.ts";

/** Withdraws an invitation: its link is no longer valid. Throws `not_found` and `permission_denied`. */
export const withdrawInvitation = operation({
  id: "withdrawInvitation",
  summary: "Withdraw an invitation",
  callers: ["person"],
  permission: "admin",
  scope: null,
  sideEffects: "The invitation's link is no longer valid.",
  input: z.strictObject({ id: Uuid }),
  output: z.strictObject({ id: Uuid }),
  async run({ tx, actor, now, audit }, { id }) {
    const ended = await endInvitation(tx, { tenant_id: actor.tenantId, invitation_id: id }, { withdrawn_at: now });
    if (!ended) throw notFound("invitation");
    audit({ type: "invitation", id });
    return { id };
  },
});

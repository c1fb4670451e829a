import { z } from "zod";
import {
  insertInvitation,
  openInvitations,
  withdrawInvitationsOf,
} from "../../src/core/accounts/invitation-queries.ts";
import { invitationToken } from "../../src/core/accounts/invitation-token.ts";
import { tokenHash } from "../../src/core/gate/mailed-token.ts";
import { operation } from "../../src/core/gate/operation.ts";
import { ServiceError } from "../../src/core/kernel/error.ts";
import { Uuid } from "../../src/core/kernel/wire-types.ts";
import { queueMail } from "../../src/core/mail/outgoing-queries.ts";
import { type AttemptLimit, count, rateLimitExceeded } from "../attempt-limits.ts";
import { Email, RoleSchema } from "../members/member.ts";
import { selectMembers } from "../members/queries.ts";

const LIFETIME_MS = 7 * 24 * 3600_000;
/** Per workspace, because the recipients did not ask for the mail. */
const INVITATIONS: AttemptLimit = { name: "invitations", max: 30, windowSeconds: 3600 };
/** Invitations that wait for an answer: they are listed on one page. */
const MOST_WAITING = 200;

/**
 * Sends an invitation into a workspace; an earlier one to the address ends. Nothing tells the admin whether the address
 * has an account. Throws `permission_denied`, `conflict` for a member or where too many wait, and `rate_limit_exceeded`.
 */
export const inviteMember = operation({
  id: "inviteMember",
  summary: "Invite a person",
  errors: ["conflict"],
  callers: ["person"],
  permission: "admin",
  scope: null,
  sideEffects: "Sends the address a mail with a link, which lets its owner in for seven days.",
  input: z.strictObject({ email: Email, role: RoleSchema }),
  output: z.strictObject({
    id: Uuid,
    replaces: z.boolean().describe("An earlier invitation of the address was open, and is not valid any more"),
  }),
  once: (input) => input,
  async prepare({ core, actor }) {
    const sent = await count(core, INVITATIONS, actor.tenantId);
    if (sent.hits > sent.max)
      throw rateLimitExceeded("The workspace has sent too many invitations. Try again later.", sent);
  },
  async run({ tx, actor, core, now, audit }, { email, role }) {
    const { tenantId, memberId } = actor;
    const member = await selectMembers(tx, tenantId).where("member.email", "=", email).executeTakeFirst();
    if (member !== undefined) throw new ServiceError("conflict", `${email} is a member already.`);
    const id = core.newId();
    audit({ type: "invitation", id });
    const earlier = await withdrawInvitationsOf(tx, { tenant_id: tenantId, email }, now);
    const waiting = await openInvitations(tx, tenantId).where("invitation.expires_at", ">", now).execute();
    if (waiting.length >= MOST_WAITING)
      throw new ServiceError("conflict", `${MOST_WAITING} invitations wait for an answer. Withdraw one first.`);
    await insertInvitation(tx, {
      tenant_id: tenantId,
      invitation_id: id,
      email,
      role,
      token_hash: hashOf(invitationToken(core, id)),
      invited_by: memberId,
      created_at: now,
      expires_at: new Date(Date.parse(now) + LIFETIME_MS).toISOString(),
      accepted_at: null,
      withdrawn_at: null,
    });
    await queueMail(tx, core, { tenant_id: tenantId, kind: "invitation", recipient: email, subject_id: id });
    return { id, replaces: earlier > 0 };
  },
});

function hashOf(token: string) {
  const hash = tokenHash(token);
  if (hash === null) throw new Error("a token of ours has the form of one");
  return hash;
}

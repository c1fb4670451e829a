import { z } from "zod";
import { endInvitation, invitationOf, type OpenInvitation } from "../../src/core/accounts/invitation-queries.ts";
import type { Role } from "../../src/core/gate/actor.ts";
import { type Core, nowOf } from "../../src/core/gate/dependencies.ts";
import { tokenHash } from "../../src/core/gate/mailed-token.ts";
import { workStep } from "../../src/core/gate/work-step.ts";
import { orNotFound, ServiceError } from "../../src/core/kernel/error.ts";
import { lineOf } from "../../src/core/kernel/wire-types.ts";
import type { Transaction } from "../../src/store/store.ts";
import type { PersonRow } from "../../src/store/tables/workspace.ts";
import { givePassword } from "../give-password.ts";
import { Password } from "../members/member.ts";
import { selectMembers, upsertMember, upsertPerson } from "../members/queries.ts";
import { selectAllMemberships } from "../membership-queries.ts";
import { hashInTurn } from "../passwords.ts";
import { selectPersonByEmail } from "../session-queries.ts";
import type { SignedIn } from "../sessions.ts";
import { takesPasswords } from "../sign-in-rules/queries.ts";

/** What a new person enters: a name, and a password where the workspace takes those. */
export const Newcomer = z.object({
  name: lineOf(100),
  password: Password.optional(),
});

/** An invitation as shown to the holder of its link. */
export interface InvitationToAnswer {
  tenantId: string;
  workspace: string;
  email: string;
  role: Role;
  inviter: string;
  /**
   * How it is accepted. `sign_in`: its person is a member somewhere, and signs in as they do there. By others `password`: they
   * choose one; or `provider`: the workspace takes no passwords, so that they sign in at its provider afterwards.
   */
  answeredBy: "sign_in" | "password" | "provider";
}

/** The invitation of a link; null if it was used or withdrawn, has expired, or never existed. */
export function readInvitation(core: Core, token: string): Promise<InvitationToAnswer | null> {
  return core.store.directory(async (tx) => {
    const invitation = await findInvitation(core, tx, token, false);
    if (invitation === null) return null;
    const { tenant_id: tenantId, email } = invitation;
    const person = await selectPersonByEmail(tx, email);
    const isSomewhere = person !== undefined && (await isMember(tx, person.person_id));
    const way = (await takesPasswords(tx, tenantId)) ? "password" : "provider";
    return {
      tenantId,
      workspace: invitation.workspace_name,
      email,
      role: invitation.role,
      inviter: invitation.inviter_name ?? invitation.inviter_email,
      answeredBy: isSomewhere ? "sign_in" : way,
    };
  });
}

/**
 * Accepts an invitation, once. It vouches for its own workspace alone (completions §11): a member of any workspace must be
 * signed in, however they do; only a person who belongs nowhere may choose a password by it. Returns the person, and the hash
 * of that password. Throws `not_found` for a link that is no longer valid, and `permission_denied` for another person's.
 */
export async function acceptInvitation(
  core: Core,
  { token, requestId }: { token: string; requestId: string },
  who: Pick<SignedIn, "personId"> | z.output<typeof Newcomer>,
): Promise<{ personId: string; passwordHash: string | null }> {
  const { tenantId: about } = orNotFound(await readInvitation(core, token), "invitation");
  const isNew = !("personId" in who);
  const passwordHash = isNew && who.password !== undefined ? await hashInTurn(token, who.password) : null;
  const join = async (tx: Transaction) => {
    const invitation = orNotFound(await findInvitation(core, tx, token, true), "invitation");
    const { tenant_id: tenantId, email } = invitation;
    const name = isNew ? who.name : null;
    // Locks the person: of two invitations accepted at once, the second finds the membership that the first made.
    const person = await upsertPerson(tx, { person_id: core.newId(), email, name, created_at: nowOf(core) });
    const { person_id: personId } = person;
    if (isNew ? await isMember(tx, personId) : personId !== who.personId) throw notYours();
    const member = { kind: "person", tenantId, memberId: await joinAs(core, tx, invitation, person) } as const;
    if (passwordHash !== null) await givePassword(tx, core, { personId, to: passwordHash, notice: "password_chosen" });
    await accept.within({ tx, core, requestId }, member, invitation);
    return { personId, passwordHash };
  };
  return core.store.directory(join, about);
}

async function isMember(tx: Transaction, personId: string): Promise<boolean> {
  return (await selectAllMemberships(tx, personId, 1)).length > 0;
}

const accept = workStep({
  name: "acceptInvitation",
  callers: ["person"],
  async run({ tx, core, audit }, invitation: OpenInvitation) {
    await endInvitation(tx, invitation, { accepted_at: nowOf(core) });
    audit({ type: "invitation", id: invitation.invitation_id });
  },
});

/** A person who became a member meanwhile keeps their role. */
async function joinAs(
  core: Core,
  tx: Transaction,
  { tenant_id: tenantId, email, role }: OpenInvitation,
  person: Pick<PersonRow, "person_id" | "name">,
): Promise<string> {
  const member = await selectMembers(tx, tenantId).where("member.email", "=", email).executeTakeFirst();
  if (member !== undefined) return member.id;
  const { person_id, name } = person;
  const row = { tenant_id: tenantId, member_id: core.newId(), person_id, email, name, role };
  return upsertMember(tx, { ...row, created_at: nowOf(core), removed_at: null });
}

async function findInvitation(core: Core, tx: Transaction, token: string, isLocked: boolean) {
  const hash = tokenHash(token);
  if (hash === null) return null;
  const invitation = await invitationOf(tx, hash, isLocked);
  return invitation === undefined || invitation.expires_at <= nowOf(core) ? null : invitation;
}

function notYours() {
  return new ServiceError("permission_denied", "This invitation is for another account. Sign in to that one first.");
}

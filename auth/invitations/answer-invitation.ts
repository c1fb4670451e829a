import { z } from "zod";
import type { Role } from "../../src/core/gate/actor.ts";
import { type Core, nowOf } from "../../src/core/gate/dependencies.ts";
import { notFound, ServiceError } from "../../src/core/gate/error.ts";
import { innerOperation } from "../../src/core/gate/inner-operation.ts";
import { endInvitation, lockInvitation, type OpenInvitation } from "../../src/core/invitations/queries.ts";
import { tokenHash } from "../../src/core/shared/mailed-token.ts";
import { cleanText } from "../../src/core/shared/text.ts";
import type { Transaction } from "../../src/store/store.ts";
import type { PersonRow } from "../../src/store/tables/workspace.ts";
import { Password } from "../members/member.ts";
import { selectMembers, upsertMember, upsertPerson } from "../members/queries.ts";
import { hashPassword } from "../passwords.ts";
import { selectPersonByEmail } from "../session-queries.ts";
import type { SignedIn } from "../sessions.ts";

/** The name and password that a new person enters. */
export const Newcomer = z.object({
  name: z
    .string()
    .transform((text) => cleanText(text, 100))
    .pipe(z.string("must not be empty")),
  password: Password,
});

/** An invitation as shown to the holder of its link. */
export interface InvitationToAnswer {
  workspace: string;
  email: string;
  role: Role;
  inviter: string;
  /** The address has an account with a password: its person must sign in. */
  hasAccount: boolean;
}

/** The invitation of a link; null if it was used or withdrawn, has expired, or never existed. */
export function readInvitation(core: Core, token: string): Promise<InvitationToAnswer | null> {
  return core.store.directory(async (tx) => {
    const invitation = await findInvitation(core, tx, token);
    if (invitation === null) return null;
    const person = await selectPersonByEmail(tx, invitation.email);
    return {
      workspace: invitation.workspace_name,
      email: invitation.email,
      role: invitation.role,
      inviter: invitation.inviter_name ?? invitation.inviter_email,
      hasAccount: (person?.password_hash ?? null) !== null,
    };
  });
}

/**
 * Accepts an invitation, once: for a signed-in person, or for a new one with name and password, because reading the
 * address's mail proves that it is theirs. Returns the person's id. Throws `not_found` for a link that is no longer
 * valid, and `permission_denied` for another person's.
 */
export async function acceptInvitation(
  core: Core,
  { token, requestId }: { token: string; requestId: string },
  who: SignedIn | z.output<typeof Newcomer>,
): Promise<string> {
  const passwordHash = "password" in who ? await hashPassword(who.password) : null;
  return core.store.directory(async (tx) => {
    const invitation = await findInvitation(core, tx, token);
    if (invitation === null) throw notFound("invitation");
    const known = await selectPersonByEmail(tx, invitation.email);
    const now = nowOf(core);
    let person: Known;
    if ("password" in who) {
      if ((known?.password_hash ?? null) !== null) throw notYours();
      const made = { email: invitation.email, name: who.name, password_hash: passwordHash, created_at: now };
      person = await upsertPerson(tx, { person_id: core.newId(), ...made });
    } else {
      if (known?.person_id !== who.personId || who.tenantId !== null) throw notYours();
      person = { ...known, email: invitation.email };
    }
    const { tenant_id: tenantId } = invitation;
    const member = { kind: "person", tenantId, memberId: await join(core, tx, invitation, person) } as const;
    await accept.within({ tx, core, requestId }, member, invitation);
    return person.person_id;
  });
}

const accept = innerOperation({
  id: "acceptInvitation",
  callers: ["person"],
  async run({ tx, core, audit }, invitation: OpenInvitation) {
    await endInvitation(tx, invitation, { accepted_at: nowOf(core) });
    audit({ type: "invitation", id: invitation.invitation_id });
  },
});

type Known = Pick<PersonRow, "person_id" | "email" | "name">;

/** A person who became a member meanwhile keeps their role. */
async function join(
  core: Core,
  tx: Transaction,
  { tenant_id: tenantId, email, role }: OpenInvitation,
  person: Known,
): Promise<string> {
  const member = await selectMembers(tx, tenantId).where("member.email", "=", email).executeTakeFirst();
  if (member !== undefined) return member.id;
  const { person_id, name } = person;
  const row = { tenant_id: tenantId, member_id: core.newId(), person_id, email, name, role };
  return upsertMember(tx, { ...row, created_at: nowOf(core), removed_at: null });
}

async function findInvitation(core: Core, tx: Transaction, token: string): Promise<OpenInvitation | null> {
  const hash = tokenHash(token);
  if (hash === null) return null;
  const invitation = await lockInvitation(tx, hash);
  return invitation === undefined || invitation.expires_at <= nowOf(core) ? null : invitation;
}

function notYours(): ServiceError {
  return new ServiceError("permission_denied", "This invitation is for another account. Sign in to that one first.");
}

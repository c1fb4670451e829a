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

/** What somebody who is new tells of themselves. */
export const Newcomer = z.object({
  name: z
    .string()
    .transform((text) => cleanText(text, 100))
    .pipe(z.string("must not be empty")),
  password: Password,
});

/** What the holder of a link is asked. */
export interface InvitationToAnswer {
  workspace: string;
  email: string;
  role: Role;
  inviter: string;
  /** The address has a password already: its person signs in, and nothing else proves who they are. */
  hasAccount: boolean;
}

/** What a link invites to; null for one that was used, withdrawn or has expired, or that never was. */
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
 * Lets the invited person in, once: somebody with a password as whom they have signed in to us, anybody else by name
 * and password, for who reads the address's mail is its owner. Answers the person's id. Throws `not_found` for a link
 * that is no good any more, and `permission_denied` for another person's.
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

/** Somebody who became a member meanwhile keeps the role they were given since. */
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

import { z } from "zod";
import type { Role } from "../src/core/actor.ts";
import { recordAudit } from "../src/core/audit.ts";
import { type Core, nowOf } from "../src/core/core.ts";
import { notFound, ServiceError } from "../src/core/error.ts";
import {
  endInvitation,
  insertInvitation,
  lockInvitation,
  type OpenInvitation,
  openInvitations,
  withdrawInvitationsOf,
} from "../src/core/invitations/queries.ts";
import { invitationToken, tokenHash } from "../src/core/invitations/token.ts";
import { insertOutgoingMail } from "../src/core/mail/outgoing-queries.ts";
import { type PageAdmin, recordAdminAct } from "../src/core/operator.ts";
import { cleanText } from "../src/core/text.ts";
import type { Transaction } from "../src/store/store.ts";
import { type AttemptLimit, count } from "./attempts.ts";
import { selectMembers, upsertMember, upsertPerson } from "./member-queries.ts";
import { Password } from "./members.ts";
import { hashPassword } from "./passwords.ts";
import { selectPersonByEmail } from "./session-queries.ts";
import type { SignedIn } from "./sessions.ts";

const LIFETIME_MS = 7 * 24 * 3600_000;
/** Of a whole workspace: its admins send no more mail than that to people who never asked for it. */
const INVITATIONS: AttemptLimit = { name: "invitations", max: 30, windowSeconds: 3600 };

/** An invitation that waits for its answer; instants are ISO 8601 UTC. */
export interface Invitation {
  id: string;
  email: string;
  role: Role;
  /** Email of who invited. */
  invitedBy: string;
  createdAt: string;
  expiresAt: string;
}

/** What somebody who is new tells of themselves. */
export const Newcomer = z.object({
  name: z
    .string()
    .transform((text) => cleanText(text, 100))
    .pipe(z.string("must not be empty")),
  password: Password,
});

/**
 * Invites an address into a workspace by mail; an earlier invitation of it ends. Whether the address has an account
 * already is told to nobody. Throws `permission_denied`, `conflict` for a member, and `rate_limit_exceeded`.
 */
export async function invite(
  core: Core,
  tenantId: string,
  { email, role }: { email: string; role: Role },
  by: PageAdmin,
): Promise<void> {
  const { hits, max, resetSeconds } = await count(core, INVITATIONS, tenantId);
  if (hits > max)
    throw new ServiceError("rate_limit_exceeded", "The workspace has sent too many invitations. Try again later.", {
      retryAfterSeconds: resetSeconds,
    });
  const id = core.newId();
  const now = nowOf(core);
  await core.store.write(tenantId, async (tx) => {
    await record(core, tx, { tenantId, id, operation: "inviteMember" }, by);
    const member = await selectMembers(tx, tenantId).where("person.email", "=", email).executeTakeFirst();
    if (member !== undefined) throw new ServiceError("conflict", `${email} is a member already.`);
    await withdrawInvitationsOf(tx, { tenant_id: tenantId, email }, now);
    await insertInvitation(tx, {
      tenant_id: tenantId,
      invitation_id: id,
      email,
      role,
      token_hash: hashOf(invitationToken(core, id)),
      invited_by: by.memberId,
      created_at: now,
      expires_at: new Date(Date.parse(now) + LIFETIME_MS).toISOString(),
      accepted_at: null,
      withdrawn_at: null,
    });
    await insertOutgoingMail(tx, {
      tenant_id: tenantId,
      mail_id: core.newId(),
      kind: "invitation",
      recipient: email,
      subject_id: id,
      status: "queued",
      next_attempt_at: now,
      lease_expires_at: null,
      created_at: now,
      sent_at: null,
    });
  });
}

/** The invitations of a workspace that wait, newest first. */
export async function listInvitations(core: Pick<Core, "store" | "clock">, tenantId: string): Promise<Invitation[]> {
  const rows = await core.store.read(tenantId, (tx) =>
    openInvitations(tx)
      .where("invitation.tenant_id", "=", tenantId)
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

/** Takes an invitation back: its link leads nowhere any more. Throws `not_found` and `permission_denied`. */
export async function withdrawInvitation(core: Core, tenantId: string, id: string, by: PageAdmin): Promise<void> {
  await core.store.write(tenantId, async (tx) => {
    await record(core, tx, { tenantId, id, operation: "withdrawInvitation" }, by);
    const end = { withdrawn_at: nowOf(core) };
    if (!(await endInvitation(tx, { tenant_id: tenantId, invitation_id: id }, end))) throw notFound("invitation");
  });
}

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
  return core.store.system(async (tx) => {
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
  return core.store.system(async (tx) => {
    const invitation = await findInvitation(core, tx, token);
    if (invitation === null) throw notFound("invitation");
    const known = await selectPersonByEmail(tx, invitation.email);
    const now = nowOf(core);
    let personId: string;
    if ("password" in who) {
      if ((known?.password_hash ?? null) !== null) throw notYours();
      const person = { email: invitation.email, name: who.name, password_hash: passwordHash, created_at: now };
      personId = await upsertPerson(tx, { person_id: core.newId(), ...person });
    } else {
      if (known?.person_id !== who.personId || who.tenantId !== null) throw notYours();
      personId = who.personId;
    }
    await endInvitation(tx, invitation, { accepted_at: now });
    const memberId = await join(core, tx, invitation, personId);
    await recordAudit(tx, core, {
      actor: { kind: "person", tenantId: invitation.tenant_id, memberId },
      operation: "acceptInvitation",
      objectType: "invitation",
      objectId: invitation.invitation_id,
      requestId,
      outcome: "succeeded",
    });
    return personId;
  });
}

/** Somebody who became a member meanwhile keeps the role they were given since. */
async function join(
  core: Core,
  tx: Transaction,
  { tenant_id: tenantId, email, role }: OpenInvitation,
  personId: string,
): Promise<string> {
  const member = await selectMembers(tx, tenantId).where("person.email", "=", email).executeTakeFirst();
  if (member !== undefined) return member.id;
  const row = { tenant_id: tenantId, member_id: core.newId(), person_id: personId, role };
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

function hashOf(token: string): string {
  const hash = tokenHash(token);
  if (hash === null) throw new Error("a token of ours has the form of one");
  return hash;
}

function record(
  core: Core,
  tx: Transaction,
  { tenantId, id, operation }: { tenantId: string; id: string; operation: string },
  by: PageAdmin,
): Promise<void> {
  return recordAdminAct(tx, core, { tenantId, operation, objectType: "invitation", objectId: id }, by);
}

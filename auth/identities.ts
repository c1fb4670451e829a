import { type Core, nowOf } from "../src/core/core.ts";
import { notFound } from "../src/core/error.ts";
import { recordOperatorAct } from "../src/core/operator.ts";
import type { Transaction } from "../src/store/store.ts";
import { endConnection } from "./connections.ts";
import {
  deleteVouchedSessions,
  type Identity,
  insertIdentity,
  selectConnectionsEndingWith,
  selectIdentities,
  selectLinks,
  selectMembersByEmail,
  tombstoneIdentity,
} from "./identity-queries.ts";

/** A member as an issuer knows them: their word that this subject is that member, in this workspace alone. */
export interface MemberLink {
  id: string;
  email: string;
  issuer: string;
  subject: string;
  created_at: string;
}

/**
 * An operator links an issuer's subject to a member; whoever else of the workspace it stood for is unlinked. Throws
 * `not_found` when nobody there has the email.
 */
export async function linkMember(
  core: Core,
  tenantId: string,
  { email, issuer, subject }: Identity & { email: string },
): Promise<MemberLink> {
  const { link, ended } = await core.store.system(async (tx) => {
    const [member] = await selectMembersByEmail(tx, email, tenantId);
    if (member === undefined) throw notFound("member");
    const before = await liveLink(tx, tenantId, { issuer, subject });
    if (before !== undefined && before.member_id === member.member_id) return { link: shown(before), ended: [] };
    const ended = before === undefined ? [] : await takeBack(core, tx, tenantId, before);
    const id = await insert(core, tx, member, { issuer, subject });
    return { link: { id, email, issuer, subject, created_at: nowOf(core) }, ended };
  });
  for (const connectionId of ended) await endConnection(core, connectionId, "operator");
  return link;
}

/**
 * An operator takes a link back: what came through it ends at once, as does what its member approved here, and it is not
 * made again by an email.
 */
export async function unlinkMember(core: Core, tenantId: string, identity: Identity): Promise<MemberLink> {
  const { link, ended } = await core.store.system(async (tx) => {
    const found = await liveLink(tx, tenantId, identity);
    if (found === undefined) throw notFound("link");
    return { link: shown(found), ended: await takeBack(core, tx, tenantId, found) };
  });
  for (const connectionId of ended) await endConnection(core, connectionId, "operator");
  return link;
}

/** The links a workspace has now, by email. */
export async function listLinks(core: Pick<Core, "store">, tenantId: string): Promise<MemberLink[]> {
  const rows = await core.store.system((tx) => selectLinks(tx, tenantId).execute());
  return rows.map(shown);
}

/** Where an email that the issuer has verified links a subject that nobody has linked. */
interface VerifiedEmail extends Identity {
  /** Lower case. */
  email: string;
  /** The one workspace it may be; null where any will do, provided there is one alone. */
  tenantId: string | null;
}

/**
 * Links a subject to the member of the email. Not where that is ambiguous, where the link was taken back, or where the
 * issuer already knows the member by another name: an email can pass from one person to another.
 */
export async function linkByEmail(
  core: Core,
  tx: Transaction,
  { issuer, subject, email, tenantId }: VerifiedEmail,
): Promise<boolean> {
  const [member, ...others] = await selectMembersByEmail(tx, email, tenantId);
  if (member === undefined || others.length > 0) return false;
  const earlier = await selectIdentities(tx, { issuer, subject }, member.tenant_id);
  if (earlier.some((one) => one.member_removed_at === null || wasTakenBack(one))) return false;
  const links = await selectLinks(tx, member.tenant_id).where("identity.member_id", "=", member.member_id).execute();
  if (links.some((link) => link.issuer === issuer)) return false;
  // Of a membership that has ended: it stands for nobody, and makes room.
  for (const { removed_at, identity_id: identityId } of earlier)
    if (removed_at === null) await tombstoneIdentity(tx, { tenantId: member.tenant_id, identityId, now: nowOf(core) });
  await insert(core, tx, member, { issuer, subject });
  return true;
}

/** Whether somebody took the link back while its member was one. */
function wasTakenBack({ removed_at: removedAt, member_removed_at: leftAt }: EarlierLink): boolean {
  return removedAt !== null && (leftAt === null || removedAt <= leftAt);
}

type EarlierLink = Awaited<ReturnType<typeof selectIdentities>>[number];

async function liveLink(tx: Transaction, tenantId: string, { issuer, subject }: Identity) {
  return selectLinks(tx, tenantId)
    .where("identity.issuer", "=", issuer)
    .where("identity.subject", "=", subject)
    .executeTakeFirst();
}

/** The connections that have to end with it. */
async function takeBack(
  core: Core,
  tx: Transaction,
  tenantId: string,
  { id: identityId, person_id: personId, member_id: memberId }: { id: string; person_id: string; member_id: string },
): Promise<string[]> {
  await tombstoneIdentity(tx, { tenantId, identityId, now: nowOf(core) });
  await deleteVouchedSessions(tx, { tenantId, personId });
  await record(core, tx, { tenantId, identityId, operation: "unlinkMember" });
  return selectConnectionsEndingWith(tx, { tenantId, identityId, memberId });
}

async function insert(
  core: Core,
  tx: Transaction,
  { tenant_id: tenantId, member_id: memberId }: { tenant_id: string; member_id: string },
  { issuer, subject }: Identity,
): Promise<string> {
  const identityId = core.newId();
  const row = { tenant_id: tenantId, identity_id: identityId, member_id: memberId, issuer, subject };
  await insertIdentity(tx, { ...row, created_at: nowOf(core), removed_at: null });
  await record(core, tx, { tenantId, identityId, operation: "linkMember" });
  return identityId;
}

function record(
  core: Core,
  tx: Transaction,
  { tenantId, identityId, operation }: { tenantId: string; identityId: string; operation: string },
): Promise<void> {
  return recordOperatorAct(tx, core, {
    tenantId,
    operation,
    objectType: "member_identity",
    objectId: identityId,
  });
}

function shown({ id, email, issuer, subject, created_at }: MemberLink): MemberLink {
  return { id, email, issuer, subject, created_at };
}

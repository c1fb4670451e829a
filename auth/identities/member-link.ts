import { z } from "zod";
import { nowOf, OPERATORS_READ, type OperatorActor, operation } from "../../src/core/gate/operation.ts";
import type { Leading } from "../../src/core/gate/work-step.ts";
import { Uuid } from "../../src/core/kernel/wire-types.ts";
import type { Notice, Transaction } from "../../src/store/store.ts";
import { tellPerson } from "../account-acts.ts";
import { CONNECTION_REVOKED, endConnections } from "../connections.ts";
import { deleteVouchedSessions } from "../session-queries.ts";
import { type Identity, selectConnectionsEndingWith, selectLinks, tombstoneIdentity } from "./queries.ts";

/** A link of an issuer's subject to a member, valid in this workspace only. */
export const MemberLinkSchema = z.strictObject({
  id: Uuid,
  email: z.string(),
  issuer: z.string(),
  subject: z.string(),
  created_at: z.string(),
});
/** A person as an issuer knows them. */
export const Subject = z.strictObject({
  issuer: z.string().describe("who knows the person, to the letter"),
  subject: z.string().describe("what the issuer calls the person (the claim sub)"),
});
export type MemberLink = z.output<typeof MemberLinkSchema>;

/** A link and its member. */
export type KnownLink = NonNullable<Awaited<ReturnType<typeof liveLink>>>;

/** A workspace's current links, by email. */
export const listLinks = operation({
  id: "listMemberLinks",
  summary: "The members whom an OpenID provider or external issuer knows",
  ...OPERATORS_READ,
  input: z.strictObject({}),
  output: z.array(MemberLinkSchema),
  run: async ({ tx, actor }) => (await selectLinks(tx, actor.tenantId).execute()).map(memberLinkOnWire),
});

/** The link of a subject in a workspace, if any. */
export async function liveLink(tx: Transaction, tenantId: string, { issuer, subject }: Identity) {
  return selectLinks(tx, tenantId)
    .where((column) => column.and({ "identity.issuer": issuer, "identity.subject": subject }))
    .executeTakeFirst();
}

/**
 * Removes a link: the sessions its issuer vouched for end, and so do the connections it opened or its member approved
 * here. Returns the ids of those.
 */
export async function takeBack(context: Leading & { actor: OperatorActor }, link: KnownLink): Promise<string[]> {
  const { tx, core, actor } = context;
  const { tenantId } = actor;
  await tombstoneIdentity(tx, { tenantId, identityId: link.id, now: nowOf(core) });
  await deleteVouchedSessions(tx, { tenantId, personId: link.person_id });
  const ids = await connectionsEndingWith(tx, tenantId, link);
  await endConnections(context, actor, ids);
  await tellPerson(tx, core, { notice: "sign_in_unlinked", personId: link.person_id });
  return ids;
}

/** The live connections that end with a link. */
export function connectionsEndingWith(tx: Transaction, tenantId: string, link: KnownLink) {
  return selectConnectionsEndingWith(tx, { tenantId, identityId: link.id, memberId: link.member_id });
}

/** Notices that stop the calls of those connections. */
export function revoked(connectionIds: readonly string[]): Notice[] {
  return connectionIds.map((payload) => ({ topic: CONNECTION_REVOKED, payload }));
}

/** The fields of a link that are shown. */
export function memberLinkOnWire({ id, email, issuer, subject, created_at }: MemberLink): MemberLink {
  return { id, email, issuer, subject, created_at };
}

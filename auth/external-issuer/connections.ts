import { hash } from "node:crypto";
import type { ExternalIssuerConfig } from "../../src/config.ts";
import { type PersonActor, SCOPES, type Scope } from "../../src/core/gate/actor.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { connectionRevoked, featureUnavailable } from "../../src/core/gate/ended-access.ts";
import { ServiceError } from "../../src/core/kernel/error.ts";
import { cleanText } from "../../src/core/kernel/text.ts";
import type { Transaction } from "../../src/store/store.ts";
import type { AccessToken } from "../access-token.ts";
import { connectAssistant, extendAssistantConnection } from "../connection-acts.ts";
import { hasHadConnection, MOST_LIVE, updatePermissions } from "../connection-queries.ts";
import { CONNECTION_REVOKED, endConnections } from "../connections.ts";
import { grantable, READ_SCOPE, withoutReading } from "../grantable-scopes.ts";
import { linkByEmail } from "../identities/link-by-email.ts";
import { lockIdentity, selectIdentities } from "../identities/queries.ts";
import {
  insertExternalConnection,
  selectExternalConnection,
  selectUnused,
  selectWithheld,
} from "./connection-queries.ts";
import type { ExternalToken } from "./token.ts";

/** Longest client name that is shown (in characters). */
const MAX_NAME = 80;

type KnownConnection = NonNullable<Awaited<ReturnType<typeof selectExternalConnection>>>;

/** The member that the issuer's subject is linked to. */
type Link = Awaited<ReturnType<typeof selectIdentities>>[number];

/**
 * The member a genuine token of the external issuer belongs to, and their connection: that of its subject, client and
 * session, recorded at first use. Throws `revoked_credentials` (for a connection until somebody unblocks it; for a link
 * or a membership), `permission_denied` and `feature_unavailable`.
 */
export async function accessOf(core: Core, config: ExternalIssuerConfig, token: ExternalToken): Promise<AccessToken> {
  const { clientId, scopes, subject } = token;
  if (!scopes.includes(READ_SCOPE)) throw withoutReading();
  const keyHash = keyOf(config, token);
  const accessBy = ({ person_id: personId, tenant_id: tenantId }: Link, connectionId: string) => {
    return { personId, clientId, connectionId, tenantId, scopes, narrowed: false };
  };
  const seen = await core.store.directory(async (tx) => {
    const links = await selectIdentities(tx, { issuer: config.issuer, subject }, token.tenantId);
    const [link, ...others] = links.filter((one) => !isOver(one));
    if (link === undefined) return { about: token.tenantId ?? subject };
    const known = others.length === 0 && (await selectExternalConnection(tx, link.tenant_id, keyHash));
    const isSettled = known && known.revoked_at === null && widened(link, token, known) === null;
    return { about: link.tenant_id, access: isSettled ? accessBy(link, known.connection_id) : undefined };
  });
  const write = async (tx: Transaction) => {
    const link = await linkOf(core, tx, config, token);
    // Nobody removes one of its permissions, or it, while a token widens them.
    const known = await selectExternalConnection(tx, link.tenant_id, keyHash, "locked");
    if (known !== undefined && known.revoked_at !== null) throw connectionRevoked();
    if (known === undefined) {
      const { connectionId, ended } = await record(core, tx, { link, keyHash, token });
      return { access: accessBy(link, connectionId), ended };
    }
    await widen(core, tx, { link, token, known });
    return { access: accessBy(link, known.connection_id), ended: [] };
  };
  if (seen.access !== undefined) return seen.access;
  const { access, ended } = await core.store.directory(write, seen.about);
  for (const payload of ended) await core.store.publish({ topic: CONNECTION_REVOKED, payload });
  return access;
}

/** Makes room for one more connection of a member: those that were unused longest end, as if somebody revoked them. */
async function endUnused(core: Core, tx: Transaction, { tenant_id: tenantId, member_id: memberId }: Link) {
  const ids = await selectUnused(tx, { tenantId, memberId }, MOST_LIVE - 1);
  const leading = { tx, core, requestId: core.newId() };
  await endConnections(leading, { kind: "system", tenantId, name: "authorization_server" }, ids);
  return ids;
}

/** The only live link of the token's subject, created by a verified email if the configuration allows it. */
async function linkOf(
  core: Core,
  tx: Transaction,
  { issuer, linkByEmail: byEmail }: ExternalIssuerConfig,
  { subject, tenantId, email }: ExternalToken,
): Promise<Link> {
  const find = () => selectIdentities(tx, { issuer, subject }, tenantId);
  let links = await find();
  if (links.every(isOver) && byEmail && email !== null) {
    await linkByEmail(core, tx, { issuer, subject, email, tenantId });
    links = await find();
  }
  const [link, ...others] = links.filter((one) => !isOver(one));
  if (link === undefined) {
    if (links.length > 0) throw connectionRevoked();
    core.log.info({ issuer, subject }, "external_issuer.person.not_linked");
    throw new ServiceError("permission_denied", "The person is not linked to a member. An operator can link them.");
  }
  if (others.length > 0) {
    core.log.info({ issuer, subject }, "external_issuer.person.ambiguous");
    throw new ServiceError("permission_denied", "The token does not say for which of the person's workspaces it is.");
  }
  return link;
}

function isOver({ removed_at: takenBackAt, member_removed_at: leftAt }: Link) {
  return takenBackAt !== null || leftAt !== null;
}

/** A digest, because an issuer's identifiers can be longer than an index allows. */
function keyOf({ issuer }: ExternalIssuerConfig, { subject, clientId, session }: ExternalToken) {
  return hash("sha256", JSON.stringify([issuer, subject, clientId, session]));
}

/** First use: creates connection and audit entry, once even if several requests arrive together; `ended` are those that made room. */
async function record(
  core: Core,
  tx: Transaction,
  { link, keyHash, token }: { link: Link; keyHash: string; token: ExternalToken },
) {
  const { tenant_id: tenantId, identity_id: identityId, member_id: memberId } = link;
  if (!link.assistant_access) throw featureUnavailable("assistant");
  if (!(await lockIdentity(tx, { tenantId, identityId }))) throw connectionRevoked();
  const meanwhile = await selectExternalConnection(tx, tenantId, keyHash);
  if (meanwhile !== undefined) return { connectionId: meanwhile.connection_id, ended: [] };
  const ended = await endUnused(core, tx, link);
  const isNews = !(await hasHadConnection(tx, { tenantId, memberId, clientId: token.clientId }));
  const withheld = await selectWithheld(tx, tenantId, keyHash);
  const connectionId = core.newId();
  const connection = {
    connection_id: connectionId,
    client_id: token.clientId,
    client_name: cleanText(token.clientId, MAX_NAME) ?? "An unnamed assistant",
    client_uri: null,
    scopes: grantedBy(link, token).filter((scope) => !withheld.includes(scope)),
    withheld_scopes: withheld,
  };
  // Where each session of a client has its own connection, only the first is announced.
  await connectAssistant.within({ tx, core, requestId: core.newId() }, personOf(link), { row: connection, isNews });
  const row = { tenant_id: tenantId, connection_id: connectionId, identity_id: identityId };
  await insertExternalConnection(tx, { ...row, key_hash: keyHash, allowed_again_at: null });
  return { connectionId, ended };
}

/** The token's scopes that the person may grant. */
function grantedBy(link: Link, token: ExternalToken): Scope[] {
  return grantable(link).filter((scope) => token.scopes.includes(scope));
}

/** Its scopes with those that the issuer added since, as far as the person may grant them and nobody removed them here; null without any. */
function widened(link: Link, token: ExternalToken, { scopes, withheld_scopes: withheld }: KnownConnection) {
  const brought = grantedBy(link, token).filter((scope) => !withheld.includes(scope));
  const wider = SCOPES.filter((scope) => scopes.includes(scope) || brought.includes(scope));
  return wider.length === scopes.length ? null : wider;
}

async function widen(
  core: Core,
  tx: Transaction,
  { link, token, known }: { link: Link; token: ExternalToken; known: KnownConnection },
): Promise<void> {
  const { connection_id: connectionId } = known;
  const scopes = widened(link, token, known);
  if (scopes === null) return;
  await updatePermissions(tx, { tenantId: link.tenant_id, connectionId }, { scopes });
  const leading = { tx, core, requestId: core.newId() };
  await extendAssistantConnection.within(leading, personOf(link), { connectionId, isNews: false });
}

function personOf({ tenant_id: tenantId, member_id: memberId }: Link): PersonActor {
  return { kind: "person", tenantId, memberId };
}

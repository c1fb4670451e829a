import type Provider from "oidc-provider";
import type { Scope } from "../../src/core/gate/actor.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { ServiceError } from "../../src/core/kernel/error.ts";
import type { Transaction } from "../../src/store/store.ts";
import { type AttemptLimit, count, rateLimitExceeded, triedTooOften } from "../attempt-limits.ts";
import { connectAssistant, extendAssistantConnection, narrowAssistantConnection } from "../connection-acts.ts";
import { MOST_LIVE, selectLive, updatePermissions } from "../connection-queries.ts";
import { grantedOf } from "../grantable-scopes.ts";
import { selectMemberships } from "../membership-queries.ts";
import { holdSession } from "../session-queries.ts";
import type { WebSession } from "../sessions.ts";
import type { Artifacts } from "./artifacts.ts";
import { addAsked } from "./grant-scopes.ts";
import { keepDocument } from "./metadata-fetches.ts";
import type { PendingRequest } from "./pending-request.ts";
import { extendableConnections, hostOf, offerOf } from "./step-up.ts";

/** Approvals of a person: each keeps a connection for good, and is audited and told by mail. */
const APPROVALS: AttemptLimit = { name: "approvals", max: 60, windowSeconds: 3_600 };

const TOO_MANY = `You have ${MOST_LIVE} assistant connections in this workspace. Revoke one that you do not use, then allow this one.`;

/** The person who allows a request, the workspace and the scopes they chose. */
export interface Approval {
  session: WebSession;
  tenantId: string;
  requestId: string;
  /** The write scopes that were ticked; they are not limited to those the client asked for (RFC 6749 §3.3). */
  ticked: readonly Scope[];
  /** The offer to widen a connection that the page showed ({@link offerOf}); null for a new one. */
  extend: string | null;
}

interface Parts {
  core: Core;
  provider: Provider;
  artifacts: Artifacts;
  resource: string;
}

/** An approval under way: the granted scopes and the granting member. */
interface Work {
  tx: Transaction;
  pending: PendingRequest;
  approval: Approval;
  memberId: string;
  scopes: readonly Scope[];
}

/**
 * The id of the connection and its grant; null if the person has signed out or may not connect an assistant there. Throws
 * `rate_limit_exceeded` for a person who approves too often, `conflict` for one with too many connections.
 */
export async function connect(parts: Parts, pending: PendingRequest, approval: Approval): Promise<string | null> {
  const { session, tenantId, ticked, extend } = approval;
  const approvals = await count(parts.core, APPROVALS, `${session.personId} ${approval.tenantId}`);
  if (approvals.hits > approvals.max) throw rateLimitExceeded(triedTooOften(approvals.resetSeconds), approvals);
  return parts.core.store.directory(async (tx) => {
    // Revoking the sign-in waits for this, and then ends the connection too.
    if (!(await holdSession(tx, session.id))) return null;
    const membership = (await selectMemberships(tx, session)).find((one) => one.tenantId === tenantId);
    if (membership === undefined || !membership.assistantAccess) return null;
    const scopes = grantedOf(membership, ticked);
    const work = { tx, pending, approval, memberId: membership.memberId, scopes };
    return extend === null ? makeConnection(parts, work) : extendConnection(parts, work);
  }, tenantId);
}

async function makeConnection(parts: Parts, { tx, pending, approval, memberId, scopes }: Work): Promise<string | null> {
  const { core, provider, artifacts, resource } = parts;
  const { client, scopes: asked } = pending;
  const { session, tenantId, requestId } = approval;
  if ((await selectLive(tx, { tenantId, memberId })).length >= MOST_LIVE) throw new ServiceError("conflict", TOO_MANY);
  if (!(await artifacts.decide(tx, pending.uid))) return null;
  const connectionId = core.newId();
  const granted = scopes.join(" ");
  const row = {
    connection_id: connectionId,
    client_id: client.id,
    client_name: client.name,
    client_uri: client.uri,
    answered_at_host: hostOf(client.redirectUri),
    scopes,
    asked_scopes: addAsked([], asked),
  };
  const person = { kind: "person", tenantId, memberId } as const;
  await connectAssistant.within({ tx, core, requestId }, person, { row, scopes: granted, isNews: true });
  const grant = new provider.Grant({ accountId: session.personId, clientId: client.id });
  grant.jti = connectionId;
  grant.addResourceScope(resource, granted);
  await artifacts.within(tx, () => grant.save());
  const { id, document } = client;
  if (document === null) await artifacts.keepClient(tx, id);
  else await artifacts.within(tx, () => keepDocument(artifacts, id, document));
  return connectionId;
}

/**
 * Sets the connection the person saw to the scopes they left ticked. A connection that has ended, has other permissions
 * than the page showed, or is no longer the only match, is left unchanged.
 */
async function extendConnection(
  parts: Parts,
  { tx, pending, approval, scopes: granted }: Work,
): Promise<string | null> {
  const { core, provider, artifacts, resource } = parts;
  const { client, scopes: asked } = pending;
  const { session, requestId, extend } = approval;
  const asking = { who: session, clientId: client.id, answeredAtHost: hostOf(client.redirectUri), asked };
  const candidates = await extendableConnections(tx, { provider, artifacts }, asking, "locked");
  const found = candidates.find((one) => offerOf(one) === extend);
  if (found === undefined || found.tenantId !== approval.tenantId) return null;
  if (!(await artifacts.decide(tx, pending.uid))) return null;
  const { tenantId, memberId, connectionId } = found;
  const scopes = granted.join(" ");
  await updatePermissions(tx, found, { scopes: granted, asked_scopes: addAsked(found.askedScopes, asked) });
  const [more, less] = [changes(granted, found.scopes), changes(found.scopes, granted)];
  const [leading, person] = [{ tx, core, requestId }, { kind: "person", tenantId, memberId } as const];
  if (less !== "") await narrowAssistantConnection.within(leading, person, { connectionId, scopes: less });
  await extendAssistantConnection.within(leading, person, { connectionId, scopes: more, isNews: more !== "" });
  await artifacts.within(tx, async () => {
    const grant = await provider.Grant.find(connectionId);
    if (grant === undefined) return;
    grant.resources = { [resource]: scopes };
    await grant.save();
  });
  return connectionId;
}

/** The elements of the first list that the second lacks. */
function changes(these: readonly Scope[], those: readonly Scope[]) {
  return these.filter((scope) => !those.includes(scope)).join(" ");
}

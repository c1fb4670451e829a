import type Provider from "oidc-provider";
import { SCOPES, type Scope } from "../../src/core/actor.ts";
import { recordAudit } from "../../src/core/audit.ts";
import { type Core, nowOf } from "../../src/core/core.ts";
import type { Transaction } from "../../src/store/store.ts";
import { insertConnection, selectMemberships } from "../connection-queries.ts";
import { grantedOf } from "../scopes.ts";
import { holdSession } from "../session-queries.ts";
import type { WebSession } from "../sessions.ts";
import type { Artifacts } from "./artifacts.ts";
import type { PendingRequest } from "./pending-request.ts";
import { extendableConnections, hostOf } from "./step-up.ts";
import { updateScopes } from "./step-up-queries.ts";

/** Who allows a request, for which of their workspaces, and what of it. */
export interface Approval {
  session: WebSession;
  tenantId: string;
  requestId: string;
  /** Of the write scopes that were asked, those the person left ticked. */
  ticked: readonly Scope[];
  /** The connection the person saw named, and adds the scopes to; null for a new one. */
  extend: string | null;
}

interface Parts {
  core: Core;
  provider: Provider;
  artifacts: Artifacts;
  resource: string;
}

/** Who the connection is of, and what it is given. */
interface Decision {
  tenantId: string;
  memberId: string;
  scopes: readonly Scope[];
}

/** The id of the connection, which is its grant's too; null where the person may not connect an assistant so, or is signed out. */
export function connect(parts: Parts, pending: PendingRequest, approval: Approval): Promise<string | null> {
  const { session, tenantId, ticked, extend } = approval;
  return parts.core.store.system(async (tx) => {
    // Whoever takes the sign-in back waits for this, and then ends what came of it.
    if (!(await holdSession(tx, session.id))) return null;
    const membership = await selectMemberships(tx, session).where("tenant.tenant_id", "=", tenantId).executeTakeFirst();
    if (membership === undefined || !membership.assistant_access) return null;
    const scopes = grantedOf(membership.role, pending.scopes, ticked);
    const decision = { tenantId, memberId: membership.member_id, scopes };
    return extend === null
      ? makeConnection(parts, tx, { pending, approval, decision })
      : extendConnection(parts, tx, { pending, approval, decision });
  });
}

interface Work {
  pending: PendingRequest;
  approval: Approval;
  decision: Decision;
}

async function makeConnection(
  { core, provider, artifacts, resource }: Parts,
  tx: Transaction,
  { pending: { uid, client }, approval: { session, requestId }, decision }: Work,
): Promise<string | null> {
  if (!(await artifacts.decide(tx, uid))) return null;
  const { tenantId, memberId } = decision;
  const connectionId = core.newId();
  const scopes = decision.scopes.join(" ");
  await insertConnection(tx, {
    tenant_id: tenantId,
    connection_id: connectionId,
    member_id: memberId,
    client_id: client.id,
    client_name: client.name,
    client_uri: client.uri,
    answered_at_host: hostOf(client.redirectUri),
    scopes,
    created_at: nowOf(core),
    last_used_at: null,
    revoked_at: null,
    revoked_by: null,
  });
  await audit(core, tx, { operation: "connectAssistant", tenantId, memberId, connectionId, requestId });
  const grant = new provider.Grant({ accountId: session.personId, clientId: client.id });
  grant.jti = connectionId;
  grant.addResourceScope(resource, scopes);
  await artifacts.within(tx, () => grant.save());
  return connectionId;
}

/** Adds to the very connection the person saw: one that has ended, or is no longer the only match, is left alone. */
async function extendConnection(
  { core, provider, artifacts, resource }: Parts,
  tx: Transaction,
  { pending: { uid, client, scopes: asked }, approval: { session, requestId, extend }, decision }: Work,
): Promise<string | null> {
  const asking = { who: session, clientId: client.id, answeredAtHost: hostOf(client.redirectUri), asked };
  const candidates = await extendableConnections(tx, { provider, artifacts }, asking, "locked");
  const found = candidates.find(({ connectionId }) => connectionId === extend);
  if (found === undefined || found.tenantId !== decision.tenantId) return null;
  if (!(await artifacts.decide(tx, uid))) return null;
  const { tenantId, memberId, connectionId } = found;
  const scopes = SCOPES.filter((scope) => found.scopes.includes(scope) || decision.scopes.includes(scope)).join(" ");
  await updateScopes(tx, found, scopes);
  await audit(core, tx, { operation: "extendAssistantConnection", tenantId, memberId, connectionId, requestId });
  await artifacts.within(tx, async () => {
    const grant = await provider.Grant.find(connectionId);
    grant?.addResourceScope(resource, scopes);
    await grant?.save();
  });
  return connectionId;
}

function audit(
  core: Core,
  tx: Transaction,
  act: { operation: string; tenantId: string; memberId: string; connectionId: string; requestId: string },
): Promise<void> {
  const { operation, tenantId, memberId, connectionId, requestId } = act;
  return recordAudit(tx, core, {
    actor: { kind: "page", tenantId, memberId },
    operation,
    objectType: "assistant_connection",
    objectId: connectionId,
    requestId,
    outcome: "succeeded",
  });
}

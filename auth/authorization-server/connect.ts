import type Provider from "oidc-provider";
import type { Scope } from "../../src/core/gate/actor.ts";
import { recordAudit } from "../../src/core/gate/audit.ts";
import { type Core, nowOf } from "../../src/core/gate/dependencies.ts";
import type { Transaction } from "../../src/store/store.ts";
import { tellApprover } from "../approval-mails.ts";
import { insertAssistantConnection, selectMemberships } from "../connection-queries.ts";
import { grantedOf } from "../scopes.ts";
import { holdSession } from "../session-queries.ts";
import type { WebSession } from "../sessions.ts";
import type { Artifacts } from "./artifacts.ts";
import { setGrantScopes } from "./grant-scopes.ts";
import type { PendingRequest } from "./pending-request.ts";
import { extendableConnections, hostOf } from "./step-up.ts";
import { updateScopes } from "./step-up-queries.ts";

/** Who allows a request, for which of their workspaces, and what of it. */
export interface Approval {
  session: WebSession;
  tenantId: string;
  requestId: string;
  /** The write scopes that stood ticked; what the client asked for is no limit to it (RFC 6749 §3.3). */
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
    // Revoking the sign-in waits for this, and then ends the connection too.
    if (!(await holdSession(tx, session.id))) return null;
    const membership = await selectMemberships(tx, session).where("tenant.tenant_id", "=", tenantId).executeTakeFirst();
    if (membership === undefined || !membership.assistant_access) return null;
    const scopes = grantedOf(membership, ticked);
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
  { pending: { uid, client, scopes: asked }, approval: { session, requestId }, decision }: Work,
): Promise<string | null> {
  if (!(await artifacts.decide(tx, uid))) return null;
  const { tenantId, memberId } = decision;
  const connectionId = core.newId();
  const scopes = decision.scopes.join(" ");
  await insertAssistantConnection(tx, {
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
  await audit(core, tx, { operation: "connectAssistant", tenantId, memberId, connectionId, requestId, scopes });
  await tellApprover(tx, core, { kind: "assistant_connected", tenantId, connectionId });
  const grant = new provider.Grant({ accountId: session.personId, clientId: client.id });
  grant.jti = connectionId;
  setGrantScopes(grant, resource, { granted: decision.scopes, asked });
  await artifacts.within(tx, () => grant.save());
  return connectionId;
}

/**
 * Makes the very connection the person saw be of what they left ticked: one that has ended, or is no longer the only match,
 * is left unchanged.
 */
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
  const { scopes: granted } = decision;
  await updateScopes(tx, found, granted.join(" "));
  const [more, less] = [changes(granted, found.scopes), changes(found.scopes, granted)];
  const act = { tenantId, memberId, connectionId, requestId };
  if (less !== "") await audit(core, tx, { ...act, operation: "narrowAssistantConnection", scopes: less });
  await audit(core, tx, { ...act, operation: "extendAssistantConnection", scopes: more });
  if (more !== "") await tellApprover(tx, core, { kind: "assistant_extended", tenantId, connectionId });
  await artifacts.within(tx, async () => {
    const grant = await provider.Grant.find(connectionId);
    if (grant === undefined) return;
    setGrantScopes(grant, resource, { granted, asked });
    await grant.save();
  });
  return connectionId;
}

/** Those of the first that the second lacks. */
function changes(these: readonly Scope[], those: readonly Scope[]): string {
  return these.filter((scope) => !those.includes(scope)).join(" ");
}

interface Act {
  operation: string;
  tenantId: string;
  memberId: string;
  connectionId: string;
  requestId: string;
  scopes: string;
}

function audit(core: Core, tx: Transaction, act: Act): Promise<void> {
  const { operation, tenantId, memberId, connectionId, requestId, scopes } = act;
  return recordAudit(tx, core, {
    actor: { kind: "person", tenantId, memberId },
    operation,
    objectType: "assistant_connection",
    objectId: connectionId,
    requestId,
    outcome: "succeeded",
    details: { scopes },
  });
}

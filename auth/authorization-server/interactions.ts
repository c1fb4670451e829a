import type { Request, Response } from "express";
import type Provider from "oidc-provider";
import { errors, type InteractionResults } from "oidc-provider";
import { parseScopes, type Scope } from "../../src/core/actor.ts";
import { recordAudit } from "../../src/core/audit.ts";
import { type Core, nowOf } from "../../src/core/core.ts";
import { insertConnection, selectMemberships } from "../connection-queries.ts";
import { grantable } from "../scopes.ts";
import type { WebSession } from "../sessions.ts";
import type { Artifacts } from "./artifacts.ts";

/** An authorization request that waits for a person's decision. */
export interface PendingRequest {
  readonly uid: string;
  readonly client: RequestingClient;
  /** What the client asks for. */
  readonly scopes: Scope[];
  /** The email the client expects, if it said so. */
  readonly loginHint: string | null;
  /** The client wants the person to sign in anew, after this instant (ISO 8601 UTC); null where it does not mind. */
  readonly signInAfter: string | null;
  /** Where the browser goes on when the request is answered already, as by the first click of two; null when it is not. */
  readonly answered: string | null;
}

/** A client by its own account: nobody has verified a word of it but the host of a published id. */
export interface RequestingClient {
  readonly id: string;
  /** Cleaned, at most 80 characters. */
  readonly name: string;
  readonly uri: string | null;
  /** Where the answer will go. */
  readonly redirectUri: string;
  /** The host that published the client's metadata; null for a client that registered itself. */
  readonly publishedBy: string | null;
}

/** Who allows a request, and for which of their workspaces. */
export interface Approval {
  session: WebSession;
  tenantId: string;
  requestId: string;
}

/** What a person can do with an authorization request; each answer is where the browser goes next. */
export interface Interactions {
  /** The request that `uid` and the browser's cookie name together; null when it has expired or is not this browser's. */
  find(request: Request, response: Response, uid: string): Promise<PendingRequest | null>;
  /**
   * Connects the assistant: connection, audit entry and grant in one transaction. Null when it has been answered
   * meanwhile, or the person is no member there, or the workspace's tier has no assistants.
   */
  allow(request: Request, response: Response, pending: PendingRequest, approval: Approval): Promise<string | null>;
  /** The client gets `access_denied`. */
  deny(request: Request, response: Response, reason: string): Promise<string>;
}

interface InteractionOptions {
  core: Core;
  provider: Provider;
  artifacts: Artifacts;
  resource: string;
}

export function oauthInteractions(options: InteractionOptions): Interactions {
  const { provider } = options;
  return {
    find: (request, response, uid) => findPending(provider, request, response, uid),
    async allow(request, response, pending, approval) {
      const grantId = await connect(options, pending, approval);
      if (grantId === null) return null;
      const login = { accountId: approval.session.personId, remember: false };
      return provider.interactionResult(request, response, { login, consent: { grantId } });
    },
    deny(request, response, reason) {
      const denied: InteractionResults = { error: "access_denied", error_description: reason };
      return provider.interactionResult(request, response, denied);
    },
  };
}

async function findPending(
  provider: Provider,
  request: Request,
  response: Response,
  uid: string,
): Promise<PendingRequest | null> {
  const interaction = await provider.interactionDetails(request, response).catch((error: unknown) => {
    if (error instanceof errors.SessionNotFound) return null;
    throw error;
  });
  if (interaction === null || interaction.uid !== uid) return null;
  const { params } = interaction;
  const client = await provider.Client.find(String(params.client_id));
  if (client === undefined) return null;
  const redirectUri = String(params.redirect_uri);
  return {
    uid,
    client: {
      id: client.clientId,
      name: client.clientName ?? (URL.parse(redirectUri)?.host || "An unnamed assistant"),
      uri: client.clientUri ?? null,
      redirectUri,
      publishedBy: client.clientId.startsWith("https://") ? new URL(client.clientId).host : null,
    },
    scopes: parseScopes(String(params.scope)),
    loginHint: typeof params.login_hint === "string" ? params.login_hint : null,
    signInAfter: String(params.prompt).split(" ").includes("login")
      ? new Date(interaction.iat * 1000).toISOString()
      : null,
    answered: interaction.result === undefined ? null : interaction.returnTo,
  };
}

/** The id of the new connection, which is its grant's too; null where the person may not connect an assistant. */
function connect(
  { core, provider, artifacts, resource }: InteractionOptions,
  { uid, client, scopes }: PendingRequest,
  { session, tenantId, requestId }: Approval,
): Promise<string | null> {
  return core.store.system(async (tx) => {
    const membership = await selectMemberships(tx, session)
      .where("tenant.tenant_id", "=", tenantId)
      .executeTakeFirst();
    if (membership === undefined || !membership.assistant_access) return null;
    if (!(await artifacts.decide(tx, uid))) return null;
    const connectionId = core.newId();
    const memberId = membership.member_id;
    const granted = grantable(membership.role, scopes);
    await insertConnection(tx, {
      tenant_id: tenantId,
      connection_id: connectionId,
      member_id: memberId,
      client_id: client.id,
      client_name: client.name,
      client_uri: client.uri,
      scopes: granted.join(" "),
      created_at: nowOf(core),
      last_used_at: null,
      revoked_at: null,
      revoked_by: null,
    });
    await recordAudit(tx, core, {
      actor: { kind: "page", tenantId, memberId },
      operation: "connectAssistant",
      objectType: "assistant_connection",
      objectId: connectionId,
      requestId,
      outcome: "succeeded",
    });
    const grant = new provider.Grant({ accountId: session.personId, clientId: client.id });
    grant.jti = connectionId;
    grant.addResourceScope(resource, granted.join(" "));
    await artifacts.within(tx, () => grant.save());
    return connectionId;
  });
}

import type { Request, Response } from "express";
import type Provider from "oidc-provider";
import { errors, type InteractionResults } from "oidc-provider";
import { parseScopes, type Scope } from "../../src/core/actor.ts";
import type { Core } from "../../src/core/core.ts";
import type { SignedIn } from "../sessions.ts";
import type { Artifacts } from "./artifacts.ts";
import { type Approval, connect } from "./connect.ts";
import type { CurrentProvider } from "./current-provider.ts";
import { type Extendable, extendableConnections, hostOf } from "./step-up.ts";

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

/** What a person can do with an authorization request; each answer is where the browser goes next. */
export interface Interactions {
  /** The request that `uid` and the browser's cookie name together; null when it has expired or is not this browser's. */
  find(request: Request, response: Response, uid: string): Promise<PendingRequest | null>;
  /** The person's connections that the request could add scopes to, instead of making another. */
  extendable(pending: PendingRequest, who: SignedIn): Promise<Extendable[]>;
  /**
   * Connects the assistant, or adds to its connection: connection, audit entry and grant in one transaction. Null when it
   * has been answered meanwhile, or the person is no member there, or the workspace's tier has no assistants, or what
   * was to be extended cannot be.
   */
  allow(request: Request, response: Response, pending: PendingRequest, approval: Approval): Promise<string | null>;
  /** The client gets `access_denied`. */
  deny(request: Request, response: Response, reason: string): Promise<string>;
}

interface InteractionOptions {
  core: Core;
  provider: CurrentProvider;
  artifacts: Artifacts;
  resource: string;
}

export function oauthInteractions(options: InteractionOptions): Interactions {
  const { core, artifacts } = options;
  const current = async (): Promise<Provider> => (await options.provider()).provider;
  return {
    find: async (request, response, uid) => findPending(await current(), request, response, uid),
    async extendable({ client, scopes: asked }, who) {
      const provider = await current();
      const asking = { who, clientId: client.id, answeredAtHost: hostOf(client.redirectUri), asked };
      return core.store.system((tx) => extendableConnections(tx, { provider, artifacts }, asking));
    },
    async allow(request, response, pending, approval) {
      const provider = await current();
      const grantId = await connect({ ...options, provider }, pending, approval);
      if (grantId === null) return null;
      const login = { accountId: approval.session.personId, remember: false };
      return provider.interactionResult(request, response, { login, consent: { grantId } });
    },
    async deny(request, response, reason) {
      const denied: InteractionResults = { error: "access_denied", error_description: reason };
      return (await current()).interactionResult(request, response, denied);
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

import type { Request, Response } from "express";
import type Provider from "oidc-provider";
import type { InteractionResults } from "oidc-provider";
import type { Core } from "../../src/core/gate/dependencies.ts";
import type { SignedIn } from "../sessions.ts";
import type { Artifacts } from "./artifacts.ts";
import { type Approval, connect } from "./connect.ts";
import type { CurrentProvider } from "./current-provider.ts";
import { findPending, type PendingRequest } from "./pending-request.ts";
import { type Extendable, extendableConnections, hostOf } from "./step-up.ts";

/** Decisions on an authorization request; each returns the address the browser goes to next. */
export type Interactions = ReturnType<typeof oauthInteractions>;

interface InteractionOptions {
  core: Core;
  provider: CurrentProvider;
  artifacts: Artifacts;
  resource: string;
}

export function oauthInteractions(options: InteractionOptions) {
  const { core, artifacts } = options;
  const current = async (): Promise<Provider> => (await options.provider()).provider;
  return {
    /**
     * The request that `uid` and the browser's cookie name together; null when it has expired or is not this browser's.
     * From then on it is the signed-in person's: nothing that strangers send pushes it out.
     */
    async find(request: Request, response: Response, uid: string, personId: string | undefined) {
      const pending = await findPending(await current(), request, response, uid);
      if (pending !== null && personId !== undefined) await artifacts.claim([uid, pending.client.id], personId);
      return pending;
    },
    /** The person's connections that the request could widen instead of creating another one. */
    async extendable({ client, scopes: asked }: PendingRequest, who: SignedIn): Promise<Extendable[]> {
      const provider = await current();
      const asking = { who, clientId: client.id, answeredAtHost: hostOf(client.redirectUri), asked };
      return core.store.directory((tx) => extendableConnections(tx, { provider, artifacts }, asking));
    },
    /**
     * Connects the assistant, or widens its connection: connection, audit entry and grant in one transaction. Null if
     * the request was answered meanwhile, the person is not a member there, the workspace's tier has no assistants, or
     * the connection can no longer be widened. Throws `rate_limit_exceeded` for a person who approves too often.
     */
    async allow(request: Request, response: Response, pending: PendingRequest, approval: Approval) {
      const provider = await current();
      const grantId = await connect({ ...options, provider }, pending, approval);
      if (grantId === null) return null;
      const login = { accountId: approval.session.personId, remember: false };
      return provider.interactionResult(request, response, { login, consent: { grantId } });
    },
    /** The client gets `access_denied`. */
    async deny(request: Request, response: Response, reason: string) {
      const denied: InteractionResults = { error: "access_denied", error_description: reason };
      return (await current()).interactionResult(request, response, denied);
    },
  };
}

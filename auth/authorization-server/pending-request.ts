import type { Request, Response } from "express";
import type Provider from "oidc-provider";
import { type Client, errors, type KoaContextWithOIDC } from "oidc-provider";
import { z } from "zod";
import { parseScopes, type Scope } from "../../src/core/gate/actor.ts";
import { ASKED_SCOPE, ASKING_CLIENT } from "./request-params.ts";

/** An authorization request that waits for a person's decision. */
export interface PendingRequest {
  readonly uid: string;
  readonly client: RequestingClient;
  /** The scopes the client asks for; reading is always among them. */
  readonly scopes: Scope[];
  /** The email the client expects, if it said so. */
  readonly loginHint: string | null;
  /** The client requires a sign-in after this instant (ISO 8601 UTC); null if any will do. */
  readonly signInAfter: string | null;
  /** Where the browser goes if the request was answered already, for example by a double click; else null. */
  readonly answered: string | null;
}

/** A client as it describes itself: only the host of a published id is verified. */
export interface RequestingClient {
  readonly id: string;
  /** Cleaned, at most 80 characters. */
  readonly name: string;
  readonly uri: string | null;
  /** The host that the answer goes to. */
  readonly redirectUri: string;
  /** The host that published the client's metadata; null for a client that registered itself. */
  readonly publishedBy: string | null;
  /** Those metadata, as they were when it asked; null for a client that registered itself. */
  readonly document: object | null;
}

/** What is kept of a client with its request, so that nobody outside is asked for it again while a person decides. */
const AskingClient = z.strictObject({
  name: z.string().nullable(),
  uri: z.string().nullable(),
  document: z.looseObject({}).nullable(),
});

/** Keeps it with the request under way. */
export function keepAskingClient({ oidc: { params } }: KoaContextWithOIDC, _given: unknown, client: Client) {
  const { clientId, clientName: name = null, clientUri: uri = null } = client;
  // A registered one's metadata hold its secret.
  const document = /^https:/i.test(clientId) ? client.metadata() : null;
  if (params !== undefined) params[ASKING_CLIENT] = JSON.stringify({ name, uri, document });
}

/** The request that `uid` and the browser's cookie name together; null when it has expired or is not this browser's. */
export async function findPending(
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
  // A request of before an upgrade, which lasts 15 minutes at most.
  if (params[ASKING_CLIENT] === undefined) return null;
  const { name, uri, document } = AskingClient.parse(JSON.parse(String(params[ASKING_CLIENT])));
  const [id, redirectUri] = [String(params.client_id), String(params.redirect_uri)];
  return {
    uid,
    client: {
      id,
      name: name ?? (URL.parse(redirectUri)?.host || "An unnamed assistant"),
      uri,
      redirectUri,
      publishedBy: document === null ? null : new URL(id).host,
      document,
    },
    scopes: parseScopes(String(params[ASKED_SCOPE])),
    loginHint: typeof params.login_hint === "string" ? params.login_hint : null,
    signInAfter: String(params.prompt).split(" ").includes("login")
      ? new Date(interaction.iat * 1000).toISOString()
      : null,
    answered: interaction.result === undefined ? null : interaction.returnTo,
  };
}

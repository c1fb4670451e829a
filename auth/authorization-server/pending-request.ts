import type { Request, Response } from "express";
import type Provider from "oidc-provider";
import { errors } from "oidc-provider";
import { parseScopes, type Scope } from "../../src/core/gate/actor.ts";
import { temporaryCause } from "./metadata-fetches.ts";
import { ASKED_SCOPE } from "./request-params.ts";

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
  /** Those metadata; null for a client that registered itself. */
  readonly document: object | null;
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
  const client = await provider.Client.find(String(params.client_id)).catch((error: unknown) => {
    throw temporaryCause(error) ?? error;
  });
  if (client === undefined) return null;
  const redirectUri = String(params.redirect_uri);
  const isPublished = client.clientId.startsWith("https://");
  return {
    uid,
    client: {
      id: client.clientId,
      name: client.clientName ?? (URL.parse(redirectUri)?.host || "An unnamed assistant"),
      uri: client.clientUri ?? null,
      redirectUri,
      publishedBy: isPublished ? new URL(client.clientId).host : null,
      document: isPublished ? client.metadata() : null,
    },
    scopes: parseScopes(String(params[ASKED_SCOPE])),
    loginHint: typeof params.login_hint === "string" ? params.login_hint : null,
    signInAfter: String(params.prompt).split(" ").includes("login")
      ? new Date(interaction.iat * 1000).toISOString()
      : null,
    answered: interaction.result === undefined ? null : interaction.returnTo,
  };
}

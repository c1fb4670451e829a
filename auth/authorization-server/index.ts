import type { IncomingMessage, ServerResponse } from "node:http";
import type { Router } from "express";
import type Provider from "oidc-provider";
import type { KoaContextWithOIDC } from "oidc-provider";
import { boundedLog } from "../../src/core/gate/bounded-log.ts";
import type { Core, Log } from "../../src/core/gate/dependencies.ts";
import { dnsLookup } from "../../src/gateways/lookups.ts";
import type { Lookup } from "../../src/gateways/public-address.ts";
import { accessTokenVerifier, type TokenCheck } from "../access-token.ts";
import { endConnection } from "../connections.ts";
import { SigningKeyRing } from "../signing-key-ring.ts";
import { oidcArtifacts } from "./artifacts.ts";
import { currentProvider } from "./current-provider.ts";
import { type Interactions, oauthInteractions } from "./interactions.ts";
import { publishedFetch } from "./metadata-fetches.ts";
import type { Fetch } from "./outgoing.ts";
import { checkTarget, type Problem } from "./policy.ts";
import { createProvider } from "./provider.ts";
import { oauthRouter } from "./router.ts";

export interface AuthorizationServerOptions {
  core: Core;
  /** The issuer, exactly: `https://host[:port]`. */
  publicOrigin: string;
  /** The page for a request that cannot go back to its client: sets the page's headers, gives its HTML. */
  errorPage: (request: IncomingMessage, response: ServerResponse, problem: Problem) => string;
  /** How metadata that clients publish are fetched. */
  internet?: { fetch?: Fetch; lookup: Lookup };
  /** Whether clients known by a metadata document are taken; by default they are. */
  metadataDocuments?: boolean;
}

/** The embedded authorization server (OAuth 2.1, RFC 8414, RFC 7591, RFC 8707, client ID metadata documents). */
export interface AuthorizationServer {
  /** `/oauth/*`, except the pages on which a person decides. */
  router: Router;
  interactions: Interactions;
  /** Checks an access token of this server. */
  verifyAccessToken: (jwt: string) => Promise<TokenCheck>;
}

/** Builds it on the keys in the store, which are generated at the first start. */
export async function authorizationServer(options: AuthorizationServerOptions): Promise<AuthorizationServer> {
  const { core, publicOrigin: issuer, internet = { lookup: dnsLookup() }, metadataDocuments = true } = options;
  const resource = `${issuer}/mcp`;
  const ring = await SigningKeyRing.open(core);
  const artifacts = oidcArtifacts(core, {
    beforeUse: () => checkTarget(resource),
    endGrant: (grantId) => endConnection(core, grantId),
  });
  const log = boundedLog(core.log);
  const fetch = publishedFetch({ core, artifacts, log, internet });
  const provider = currentProvider(ring, (keys) => {
    const made = createProvider({
      core,
      issuer,
      resource,
      keys,
      artifacts,
      fetch,
      metadataDocuments,
      errorPage: (ctx, problem) => options.errorPage(ctx.req, ctx.res, problem),
    });
    logEvents(made, log);
    return made;
  });
  return {
    router: oauthRouter({
      core,
      provider,
      isGenuine: artifacts.holdsOne,
      publicOrigin: issuer,
      resource,
      errorPage: options.errorPage,
    }),
    interactions: oauthInteractions({ core, provider, artifacts, resource }),
    verifyAccessToken: accessTokenVerifier({ core, issuer, audience: resource, keyOf: ring.keyOf }),
  };
}

/** Writes what the provider reports to the log: error codes and client ids, never a parameter, token or cookie. */
function logEvents(provider: Provider, log: Log) {
  const refused = (ctx: KoaContextWithOIDC, error: Error): void => log.info(fieldsOf(ctx, error), "oauth.refused");
  provider.on("authorization.error", refused);
  provider.on("grant.error", refused);
  provider.on("registration_create.error", refused);
  provider.on("revocation.error", refused);
  provider.on("jwks.error", refused);
  provider.on("grant.revoked", (ctx, grantId) =>
    log.warn({ client_id: ctx.oidc.client?.clientId, connection_id: grantId }, "oauth.grant.revoked"),
  );
  provider.on("registration_create.success", (_ctx, client) =>
    log.info({ client_id: client.clientId }, "oauth.client.registered"),
  );
  const failed = "authorization server failed";
  provider.on("server_error", (ctx, error) => log.error({ ...fieldsOf(ctx, error), err: error }, failed));
  provider.onerror = (error) => log.error({ err: error }, failed);
}

function fieldsOf(ctx: KoaContextWithOIDC, error: Error): object {
  const detail: unknown = "error_detail" in error ? error.error_detail : undefined;
  return { route: ctx.oidc?.route, client_id: ctx.oidc?.client?.clientId, error: error.message, detail };
}

import { type Account, type Configuration, errors, type KoaContextWithOIDC, Provider } from "oidc-provider";
import { parseScopes, SCOPES } from "../../src/core/gate/actor.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { personExists, selectLiveConnection } from "../connection-queries.ts";
import { grantable, OFFLINE_ACCESS } from "../grantable-scopes.ts";
import { ACCESS_TOKEN_SECONDS, type HeldKey, SIGNING_ALGORITHM, signingKeyAt } from "../signing-keys.ts";
import type { Artifacts } from "./artifacts.ts";
import { cleanClientMetadata } from "./client-metadata.ts";
import { PUBLISHED_BYTES, temporaryCause } from "./metadata-fetches.ts";
import type { Fetch } from "./outgoing.ts";
import { keepAskingClient } from "./pending-request.ts";
import { alwaysAsk, type Problem, problemOf, resourceServer } from "./policy.ts";
import { ASKED_SCOPE, ASKING_CLIENT } from "./request-params.ts";
import { CLIENT_ASSERTION_ALGORITHMS, CLIENT_AUTH_METHODS, INTERACTION_PATH, OAUTH_ROUTES } from "./routes.ts";

/** In seconds. A connection lives on by its refresh tokens, each valid for a month after its last use. */
const TTL = {
  AccessToken: ACCESS_TOKEN_SECONDS,
  AuthorizationCode: 60,
  Grant: 366 * 86_400,
  IdToken: 600,
  Interaction: 900,
  RefreshToken: 30 * 86_400,
  Session: 900,
};

export interface ProviderOptions {
  core: Core;
  issuer: string;
  /** Exactly `{mcp_url}`: the audience of every access token. */
  resource: string;
  /** The signing keys, the current one first; they do not change. */
  keys: readonly HeldKey[];
  artifacts: Artifacts;
  fetch: Fetch;
  /** Whether clients known by a metadata document are taken. */
  metadataDocuments: boolean;
  /** Renders the page for a request that cannot go back to its client: sets its headers, returns its HTML. */
  errorPage: (ctx: KoaContextWithOIDC, problem: Problem) => string;
}

/** The OAuth 2.1 provider: its configuration, and every difference from the library's defaults. */
export function createProvider(options: ProviderOptions): Provider {
  const { core, issuer } = options;
  const provider = new Provider(issuer, {
    ...endpoints(options),
    ...clients(options),
    ...tokens(options),
    features: features(options),
    cookies: {
      keys: core.secrets.seals("cookies of the authorization server", issuer).map((seal) => seal.toString("base64url")),
      names: { session: "oauth_session", interaction: "oauth_interaction", resume: "oauth_resume" },
      long: { httpOnly: true, sameSite: "lax", path: "/oauth" },
      short: { httpOnly: true, sameSite: "lax" },
    },
  });
  // Its endpoints' addresses come from headers that the router sets from configuration (request-params.ts).
  provider.proxy = true;
  provider.on("authorization.error", askToRetry);
  provider.on("grant.error", askToRetry);
  provider.on("revocation.error", askToRetry);
  provider.on("server_error", askToRetry);
  provider.use(forgetSession);
  provider.use(stayHere((ctx, code) => showError(options, ctx, problemOf(code))));
  return provider;
}

function endpoints({ artifacts, errorPage }: ProviderOptions): Configuration {
  return {
    adapter: (model: string) => artifacts.adapter(model),
    routes: OAUTH_ROUTES,
    clientBasedCORS: () => true,
    interactions: { policy: alwaysAsk(), url: (_ctx, { uid }) => `${INTERACTION_PATH}/${uid}` },
    // Only ever the grant of this very consent: with published client ids, all users of a vendor share one client.
    loadExistingGrant: async (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId);
    },
    renderError: (ctx, out, error) => {
      const code = temporaryCause(error) === null ? out.error : TEMPORARILY_UNAVAILABLE;
      showError({ errorPage }, ctx, problemOf(code, { isExpired: error instanceof errors.SessionNotFound }));
    },
  };
}

function showError({ errorPage }: Pick<ProviderOptions, "errorPage">, ctx: KoaContextWithOIDC, problem: Problem) {
  ctx.type = "html";
  ctx.body = errorPage(ctx, problem);
}

function clients({ fetch }: ProviderOptions): Configuration {
  return {
    scopes: [OFFLINE_ACCESS, ...SCOPES],
    extraParams: { [ASKED_SCOPE]: null, [ASKING_CLIENT]: keepAskingClient },
    responseTypes: ["code"],
    pkce: { required: () => true },
    clientAuthMethods: [...CLIENT_AUTH_METHODS],
    enabledJWA: { clientAuthSigningAlgValues: [...CLIENT_ASSERTION_ALGORITHMS] },
    clientDefaults: {
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "none",
      id_token_signed_response_alg: SIGNING_ALGORITHM,
    },
    extraClientMetadata: {
      properties: ["software_id"],
      validator: (_ctx, _key, _value, metadata) => cleanClientMetadata(metadata),
    },
    fetch,
    fetchResponseBodyLimits: {
      "client_id metadata document": PUBLISHED_BYTES.ClientDocument,
      jwks_uri: PUBLISHED_BYTES.ClientKeys,
    },
  };
}

function tokens({ core, keys }: ProviderOptions): Configuration {
  return {
    jwks: { keys: keys.map(({ key }) => key) },
    ttl: TTL,
    findAccount: (_ctx, personId, token) => accountOf(core, personId, token?.grantId),
    extraTokenClaims: (ctx, token) => ({
      connection_id: "grantId" in token ? token.grantId : undefined,
      tenant_id: ctx.oidc.account?.tenantId,
      narrowed: isNarrowed(ctx) || undefined,
    }),
    formats: {
      customizers: {
        jwt(_ctx, _token, { payload }) {
          const now = Math.floor(core.clock.now().getTime() / 1000);
          Object.assign(payload, { iat: now, exp: now + TTL.AccessToken });
        },
      },
    },
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed("refresh_token"),
    expiresWithSession: () => false,
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
  };
}

/** Whether a refresh asks for fewer scopes than its refresh token holds. */
function isNarrowed({ oidc: { params, entities } }: KoaContextWithOIDC) {
  const scope: unknown = params?.scope;
  const { RefreshToken: token, Grant: grant } = entities;
  if (params?.grant_type !== "refresh_token" || typeof scope !== "string" || token === undefined) return false;
  const asked = scope.split(" ");
  const had = parseScopes(grant?.getResourceScope(String(token.resource)) ?? "");
  return had.some((name) => token.scopes.has(name) && !asked.includes(name));
}

function features({
  core,
  resource,
  keys,
  metadataDocuments,
}: ProviderOptions): NonNullable<Configuration["features"]> {
  return {
    clientIdMetadataDocument: { enabled: metadataDocuments, ack: "draft-02" },
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    registration: { enabled: true, issueRegistrationAccessToken: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo({ oidc: { account } }, named) {
        const { kid } = signingKeyAt(keys, core.clock.now().getTime());
        const scope = String(account?.grantable ?? SCOPES.join(" "));
        return resourceServer(named, resource, { scope, accessTokenTTL: TTL.AccessToken, kid });
      },
    },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
    rpInitiatedLogout: { enabled: false },
    rpMetadataChoices: { enabled: true },
    userinfo: { enabled: false },
  };
}

const TEMPORARILY_UNAVAILABLE = "temporarily_unavailable";

/**
 * Makes the answer to a request that failed for the moment a 503: at the library's own `invalid_client` many clients
 * forget that they were connected.
 */
function askToRetry(ctx: KoaContextWithOIDC, error: Error) {
  const cause = temporaryCause(error);
  if (cause === null) return;
  ctx.status = 503;
  ctx.set("Retry-After", String(cause.retryAfterSeconds));
  ctx.body = { error: TEMPORARILY_UNAVAILABLE, error_description: cause.message };
}

/**
 * The account tokens are issued to. With a grant, only while its connection and the membership are live: a code or
 * refresh token of an ended one is an `invalid_grant`, even if its rows are still stored. `grantable` is what their
 * tokens carry at most: reading alone for a member, and in a workspace whose assistants only read.
 */
async function accountOf(
  core: Pick<Core, "store">,
  personId: string,
  grantId: string | undefined,
): Promise<Account | undefined> {
  const claims = (): { sub: string } => ({ sub: personId });
  return core.store.directory(async (tx) => {
    if (grantId === undefined) return (await personExists(tx, personId)) ? { accountId: personId, claims } : undefined;
    const connection = await selectLiveConnection(tx, grantId, personId);
    if (connection === undefined) return undefined;
    return { accountId: personId, claims, tenantId: connection.tenant_id, grantable: grantable(connection).join(" ") };
  });
}

/**
 * Drops the provider's browser session after each request. Our session (auth/sessions.ts) says who is signed in; a
 * second one would outlive signing out.
 */
async function forgetSession(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  const session = ctx.oidc?.session;
  if (session?.accountId === undefined) return;
  await session.destroy();
  const name = ctx.oidc.provider.cookieName("session");
  const cookies = [ctx.response.headers["set-cookie"] ?? []].flat().filter((cookie) => !cookie.startsWith(name));
  ctx.remove("Set-Cookie");
  ctx.append("Set-Cookie", cookies);
}

/**
 * Sends a browser to our sign-in first, and shows errors of the authorization endpoint on a page until somebody has
 * signed in. Anybody can register a client, so its redirect would be an open redirector of ours.
 */
function stayHere(showError: (ctx: KoaContextWithOIDC, code: string) => void) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next();
    // Without one, an error is on its page already.
    const location: unknown = ctx.response.get("Location");
    if (typeof location !== "string" || ctx.path !== OAUTH_ROUTES.authorization) return;
    const target = URL.parse(location, ctx.oidc?.issuer);
    if (target?.origin === ctx.oidc?.issuer && target?.pathname.startsWith(`${INTERACTION_PATH}/`)) return;
    const inFragment = new URLSearchParams(target?.hash.slice(1)).get("error");
    const code = target?.searchParams.get("error") ?? inFragment ?? "invalid_request";
    ctx.remove("Location");
    ctx.status = code === "server_error" ? 500 : 400;
    showError(ctx, code);
  };
}

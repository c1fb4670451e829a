import {
  AuthorizationResponseError,
  type AuthorizationServer,
  authorizationCodeGrantRequest,
  ClientSecretBasic,
  ClientSecretPost,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
  getValidatedIdTokenClaims,
  processAuthorizationCodeResponse,
  processUserInfoResponse,
  userInfoRequest,
  validateApplicationLevelSignature,
  validateAuthResponse,
} from "oauth4webapi";
import { z } from "zod";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { FairTurns, TooBusy } from "../../src/fair-turns.ts";
import type { Transaction } from "../../src/store/store.ts";
import { emailOf } from "../external-issuer/token.ts";
import { linkByEmail } from "../identities/link-by-email.ts";
import { type Identity, selectIdentities } from "../identities/queries.ts";
import { brief, IssuerMetadata, IssuerUnavailable, requestOptions } from "../issuer-metadata.ts";
import { sealedCookie } from "../sealed-cookie.ts";
import type { SigningIn } from "../sessions.ts";
import { findSignIn, type UpstreamProvider } from "./providers.ts";

/** How long a person has to sign in at their provider, in seconds. */
export const FLOW_SECONDS = 600;

/** The state of a sign-in between leaving for the provider and coming back. */
const Flow = z.strictObject({
  tenantId: z.guid(),
  issuer: z.string(),
  clientId: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** A local path. */
  next: z.string(),
  expiresAt: z.number(),
});
type Flow = z.infer<typeof Flow>;
const flows = sealedCookie("organisation sign-in", FLOW_SECONDS, Flow);

/** People who wait for providers: those of a workspace whose provider hangs delay nobody else's. */
const waits = new FairTurns({ concurrency: 64, ofSource: 8, waitingOfSource: 40, sources: 500, waitMs: 10_000 });

/** Throws {@link IssuerUnavailable} where too many wait for the workspace's provider already. */
async function inTurn<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await waits.run(tenantId, work);
  } catch (error) {
    if (!(error instanceof TooBusy)) throw error;
    throw new IssuerUnavailable("too many wait for the provider", { cause: error });
  }
}

/** Where the browser goes, and the cookie it brings back. */
export interface Departure {
  url: URL;
  cookie: string;
}

/** The result of a sign-in; for `unknown`, the provider knows the person and the workspace does not. */
export type Arrival =
  | { who: SigningIn; next: string }
  | { refused: "expired" | "declined" | "failed" | "unknown" | "unavailable" };

/**
 * Sign-in at a workspace's OpenID provider: authorization code flow with PKCE, state and nonce, with one callback
 * address per workspace. A provider vouches for members of its own workspace, in that workspace only.
 */
export class UpstreamSignIn {
  readonly #core: Core;
  readonly #publicOrigin: string;
  readonly #metadata = new Map<string, IssuerMetadata>();

  constructor(core: Core, publicOrigin: string) {
    this.#core = core;
    this.#publicOrigin = publicOrigin;
  }

  /** The provider of a workspace, or of an email's domain; null without one. Reveals nothing of the email's person. */
  find(where: { tenantId: string } | { email: string }) {
    return findSignIn(this.#core, where);
  }

  /** Throws {@link IssuerUnavailable}. */
  async depart(
    provider: UpstreamProvider,
    { next, email }: { next: string; email: string | null },
  ): Promise<Departure> {
    const { tenantId, issuer, clientId } = provider;
    const { authorization_endpoint: endpoint } = await inTurn(tenantId, () => this.#read(issuer));
    if (endpoint === undefined) throw new IssuerUnavailable("the provider has no authorization endpoint");
    const [state, nonce, verifier] = [generateRandomState(), generateRandomNonce(), generateRandomCodeVerifier()];
    const url = new URL(endpoint);
    const params = {
      client_id: clientId,
      redirect_uri: this.#comeBack(tenantId),
      response_type: "code",
      scope: "openid email",
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      ...(email === null ? {} : { login_hint: email }),
    };
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
    return { url, cookie: flows.seal(this.#core, { tenantId, issuer, clientId, state, nonce, verifier, next }) };
  }

  /** `tenantId` is that of the callback address, which got `params`. */
  async arrive(tenantId: string, params: URLSearchParams, cookie: string | undefined): Promise<Arrival> {
    const flow = flows.open(this.#core, cookie);
    // Another workspace's provider cannot send its answer here, nor get this one's.
    if (flow === null || flow.tenantId !== tenantId) return { refused: "expired" };
    const provider = await this.find({ tenantId });
    if (provider?.issuer !== flow.issuer || provider.clientId !== flow.clientId) return { refused: "expired" };
    try {
      const link = await inTurn(tenantId, async () => this.#link(provider, await this.#redeem(provider, flow, params)));
      if (link === null) return { refused: "unknown" };
      const { person_id: personId, identity_id: identityId } = link;
      return { who: { personId, tenantId, secondFactor: false, proof: { identityId } }, next: flow.next };
    } catch (error) {
      if (error instanceof AuthorizationResponseError && error.error === "access_denied")
        return { refused: "declined" };
      const refused = error instanceof IssuerUnavailable ? "unavailable" : "failed";
      const of = { issuer: provider.issuer, tenant_id: tenantId };
      this.#core.log.warn({ ...brief(error), ...of }, "upstream_sign_in.failed");
      return { refused };
    }
  }

  async #redeem(provider: UpstreamProvider, flow: Flow, params: URLSearchParams): Promise<UpstreamPerson> {
    const { issuer, clientId, tenantId } = provider;
    const server = await this.#read(issuer);
    const client = { client_id: clientId };
    const answer = validateAuthResponse(server, client, params, flow.state);
    const response = await authorizationCodeGrantRequest(
      server,
      client,
      authenticationAt(server, provider.clientSecret),
      answer,
      this.#comeBack(tenantId),
      flow.verifier,
      requestOptions(issuer),
    );
    const tokens = await processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: flow.nonce,
      requireIdToken: true,
    });
    await validateApplicationLevelSignature(server, response, requestOptions(issuer));
    const claims = getValidatedIdTokenClaims(tokens);
    if (claims === undefined) throw new Error("no ID token");
    const { sub } = claims;
    return {
      subject: sub,
      async email() {
        if (claims.email !== undefined || server.userinfo_endpoint === undefined)
          return verifiedEmail(provider, claims);
        const asked = await userInfoRequest(server, client, tokens.access_token, requestOptions(issuer));
        return verifiedEmail(provider, await processUserInfoResponse(server, client, sub, asked));
      },
    };
  }

  /** The link of the provider's subject to a member, created by a verified email if it does not exist yet. */
  async #link({ tenantId, issuer }: UpstreamProvider, person: UpstreamPerson): Promise<Link | null> {
    const { store, log } = this.#core;
    const identity = { issuer, subject: person.subject };
    const linked = await store.directory((tx) => linkOf(tx, identity, tenantId));
    if (linked !== null) return linked;
    const email = await person.email();
    const found = await store.directory(async (tx) => {
      if (email !== null) await linkByEmail(this.#core, tx, { ...identity, email, tenantId });
      return linkOf(tx, identity, tenantId);
    }, tenantId);
    if (found === null) log.info({ ...identity, tenant_id: tenantId }, "upstream_sign_in.person.not_linked");
    return found;
  }

  #comeBack(tenantId: string) {
    return comeBackAddress(this.#publicOrigin, tenantId);
  }

  #read(issuer: string): Promise<AuthorizationServer> {
    const known = this.#metadata.get(issuer) ?? new IssuerMetadata(issuer);
    this.#metadata.set(issuer, known);
    return known.get();
  }
}

interface UpstreamPerson {
  subject: string;
  /** From the ID token, or from the userinfo endpoint where the token has none; null unless it is verified. */
  email: () => Promise<string | null>;
}

function verifiedEmail(
  { trustEmail }: UpstreamProvider,
  { email, email_verified: verified }: Readonly<Record<string, unknown>>,
) {
  return verified === true || (verified === undefined && trustEmail) ? emailOf(email) : null;
}

type Link = Awaited<ReturnType<typeof selectIdentities>>[number];

/** The link of a subject to a live member. */
async function linkOf(tx: Transaction, identity: Identity, tenantId: string): Promise<Link | null> {
  const links = await selectIdentities(tx, identity, tenantId);
  return links.find((link) => link.removed_at === null && link.member_removed_at === null) ?? null;
}

/** Base path of the pages that send people to a provider. */
export const ORGANISATION_PATH = "/organisation";

/** The redirect URI to register at a workspace's provider. */
export function comeBackAddress(publicOrigin: string, tenantId: string) {
  return `${publicOrigin}${ORGANISATION_PATH}/${tenantId}/callback`;
}

/** Basic, unless the provider accepts the secret only in the body. */
function authenticationAt({ token_endpoint_auth_methods_supported: methods }: AuthorizationServer, secret: string) {
  const byPost = methods?.includes("client_secret_basic") === false && methods.includes("client_secret_post");
  return byPost ? ClientSecretPost(secret) : ClientSecretBasic(secret);
}

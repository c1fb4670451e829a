import * as oauth from "oauth4webapi";
import { describe, expect, it } from "vitest";
import { operate } from "../../src/core/gate/operator.ts";
import { setWorkspace } from "../../src/core/workspace/operations/set-workspace.ts";
import { type AuthApp, PASSWORD, startAuthApp, useAuthApp } from "../support/auth-app.ts";
import { Browser } from "../support/browser.ts";
import {
  authorizationUrl,
  callerOf,
  callMcp,
  openConsent,
  pkce,
  postToken,
  REDIRECT_URI,
  readTokens,
  redeem,
  refresh,
  register,
  signInAndApprove,
} from "../support/oauth-client.ts";
import { connectPerson } from "../support/oauth-person.ts";
import { rowsOf } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

const insecure = { [oauth.allowInsecureRequests]: true };

/** Plays the person: signs in, ticks, allows, and brings the answer back. */
async function approve(app: AuthApp, email: string, url: string, ticks = ""): Promise<URL> {
  const browser = new Browser(app.origin);
  const consent = await openConsent(app.origin, { email, password: PASSWORD, browser }, url);
  const { left } = await browser.submit(consent, "Allow", consent.ticking(ticks));
  if (left === null) throw new Error("not sent back");
  return left;
}

describe.each(A_STORE)("an assistant's connection on $name", ({ open }) => {
  const site = useAuthApp(open);

  it("is made by a strict client that begins with nothing but the address [facts.mcp.authorization-flow]", async () => {
    const { app } = site;
    const workspace = await app.addWorkspace();
    const { email, memberId } = await app.addPerson(workspace.id);

    const challenge = (await callMcp(app.origin, null)).headers.get("www-authenticate") ?? "";
    const place = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? "";
    const mcpUrl = new URL(`${app.origin}/mcp`);
    const resource = await oauth.processResourceDiscoveryResponse(mcpUrl, await fetch(place));
    const issuer = new URL(resource.authorization_servers?.[0] ?? "");
    const discovery = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure });
    const as = await oauth.processDiscoveryResponse(issuer, discovery);

    const metadata = { client_name: "Strict", redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: "none" };
    const registration = await oauth.dynamicClientRegistrationRequest(as, metadata, insecure);
    const client = await oauth.processDynamicClientRegistrationResponse(registration);
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const params = {
      state,
      scope: "receivables:read tasks:write",
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    };
    const url = authorizationUrl(app.origin, { clientId: client.client_id }, "", params);

    const sent = await approve(app, email, url, "tasks:write");
    const answer = oauth.validateAuthResponse(as, client, sent, state);
    const none = oauth.None();
    const additionalParameters = { resource: `${app.origin}/mcp` };
    const options = { ...insecure, additionalParameters };
    const grant = await oauth.authorizationCodeGrantRequest(as, client, none, answer, REDIRECT_URI, verifier, options);
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, grant);
    expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 600, scope: "receivables:read tasks:write" });

    const request = new Request(mcpUrl, { headers: { authorization: `Bearer ${tokens.access_token}` } });
    const claims = await oauth.validateJwtAccessToken(as, request, `${app.origin}/mcp`, insecure);
    expect(claims).toMatchObject({ iss: app.origin, client_id: client.client_id, tenant_id: workspace.id });
    const caller = await callerOf(await callMcp(app.origin, tokens.access_token));
    expect(caller).toEqual({
      key: claims.connection_id,
      actor: {
        kind: "assistant",
        tenantId: workspace.id,
        memberId,
        role: "admin",
        connectionId: claims.connection_id,
        scopes: ["receivables:read", "tasks:write"],
        readsOnly: false,
      },
    });

    const refreshed = await oauth.refreshTokenGrantRequest(as, client, none, tokens.refresh_token ?? "", options);
    const newer = await oauth.processRefreshTokenResponse(as, client, refreshed);
    expect(newer.refresh_token).not.toBe(tokens.refresh_token);
    const revocation = await oauth.revocationRequest(as, client, none, newer.refresh_token ?? "", insecure);
    await oauth.processRevocationResponse(revocation);
    expect((await callMcp(app.origin, newer.access_token)).status).toBe(401);
  });

  /** The answer to a code, for a client that names this resource, or none. */
  async function redeemed(resource: string | null): Promise<Response> {
    const { app } = site;
    const { email } = await app.addPerson((await app.addWorkspace()).id);
    const client = await register(app.origin);
    const { verifier, challenge } = pkce();
    const answer = await approve(app, email, authorizationUrl(app.origin, client, challenge, { resource }));
    const code = answer.searchParams.get("code") ?? "";
    const redemption = { grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: REDIRECT_URI };
    return postToken(app.origin, client, { ...redemption, ...(resource === null ? {} : { resource }) });
  }

  it("is made by a client of 2025-03-26, which names neither resource nor scope [facts.mcp.authorization-flow]", async () => {
    const tokens = await readTokens(await redeemed(null));
    const { actor } = await callerOf(await callMcp(site.app.origin, tokens.access_token));
    expect(actor.scopes).toEqual(["receivables:read"]);
  });

  it.each(["ORIGIN", "ORIGIN/", "ORIGIN/mcp/"])("knows its resource when it is spelled %s", async (spelled) =>
    expect((await redeemed(spelled.replace("ORIGIN", site.app.origin))).status).toBe(200),
  );

  it("survives four calls that refresh at once, and goes on from any of them [facts.oauth.refresh-grace]", async () => {
    const { app } = site;
    const person = await connectPerson(app);
    const answers = await Promise.all([1, 2, 3, 4].map(() => refresh(app.origin, person.client, person.refreshToken)));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    const tokens = await Promise.all(answers.map(readTokens));
    for (const { access_token: token } of tokens) expect((await callMcp(app.origin, token)).status).toBe(200);
    site.clock.advance(29_000);
    expect((await refresh(app.origin, person.client, person.refreshToken)).status).toBe(200);
    site.clock.advance(60_000);
    expect((await refresh(app.origin, person.client, tokens[2]?.refresh_token ?? "")).status).toBe(200);
    expect((await callMcp(app.origin, tokens[0]?.access_token ?? "")).status).toBe(200);
  });

  it("gets a refresh token for the refresh grant, asked for or not [completions.2.offline-access]", async () => {
    const asking = await connectPerson(site.app, { scope: "receivables:read offline_access" });
    expect(asking.refreshToken).not.toBe("");
    const silent = await connectPerson(site.app, { scope: "receivables:read" });
    expect(silent.refreshToken).not.toBe("");
    const without = await register(site.app.origin, { grant_types: ["authorization_code"] });
    const plain = await connectPerson(site.app, { client: without });
    expect(plain.tokens.refresh_token).toBeUndefined();
  });

  it("is bound to the one workspace that was chosen [completions.1.one-tenant]", async () => {
    const { app } = site;
    const [first, second] = [await app.addWorkspace(), await app.addWorkspace()];
    const { email } = await app.addPerson(first.id, { role: "member" });
    await app.addPerson(second.id, { role: "admin", email });
    for (const [workspace, role] of [
      [first.id, "member"],
      [second.id, "admin"],
    ] as const) {
      const approved = await signInAndApprove(app.origin, { email, password: PASSWORD, workspace });
      const { actor } = await callerOf(await callMcp(app.origin, approved.accessToken));
      expect(actor).toMatchObject({ tenantId: workspace, role });
    }
  });

  it.each(["theirs", "nonsense", ""])(
    "cannot be made for a workspace of others: %j asks again [service.1.tenant]",
    async (which) => {
      const { app } = site;
      const { email } = await app.addPerson((await app.addWorkspace()).id);
      const workspace = which === "theirs" ? (await app.addWorkspace()).id : which;
      const browser = new Browser(app.origin);
      const url = authorizationUrl(app.origin, await register(app.origin), pkce().challenge);
      const consent = await openConsent(app.origin, { email, password: PASSWORD, browser }, url);
      const again = await browser.submit(consent, "Allow", { workspace });
      expect([again.status, again.heading, again.left]).toEqual([200, consent.heading, null]);
    },
  );

  it("is refused once the workspace's plan has no assistants [completions.1.assistant-access]", async () => {
    const person = await connectPerson(site.app);
    await operate(site.app.core, person.workspace.id, setWorkspace, { assistant_access: false });
    const refused = await callMcp(site.app.origin, person.accessToken);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({
      error: { code: "feature_unavailable", message: expect.stringContaining("It is switched off, or the plan") },
    });
    await operate(site.app.core, person.workspace.id, setWorkspace, { assistant_access: true });
    expect((await callMcp(site.app.origin, person.accessToken)).status).toBe(200);
  });

  it("outlives a restart: the keys are in the store, encrypted [facts.oauth.signing-keys]", async () => {
    const { app } = site;
    const jwks = async (origin: string): Promise<unknown> => (await fetch(`${origin}/oauth/jwks`)).json();
    const restarted = await startAuthApp(app.core);
    const keys = await jwks(app.origin);
    expect(await jwks(restarted.origin)).toEqual(keys);
    expect(keys).toMatchObject({ keys: [{ kty: "EC", crv: "P-256", alg: "ES256", use: "sig" }] });
    expect(JSON.stringify(keys)).not.toContain('"d"');
    const rows = await rowsOf(app.core.store, null, "signing_keys");
    expect(rows).toHaveLength(1);
    expect(rows[0]?.private_jwk).toMatch(/^v1\./);
    await restarted.close();
  });

  it("leaves no secret readable in the store [facts.oauth.hashed-artifacts]", async () => {
    const { app } = site;
    const client = await register(app.origin, { token_endpoint_auth_method: "client_secret_post" });
    const { email } = await app.addPerson((await app.addWorkspace()).id);
    const { verifier, challenge } = pkce();
    const answer = await approve(app, email, authorizationUrl(app.origin, client, challenge));
    const code = answer.searchParams.get("code") ?? "";
    const stored = async (): Promise<string> => {
      const { store } = app.core;
      return JSON.stringify([await rowsOf(store, null, "oidc_artifacts"), await rowsOf(store, null, "web_sessions")]);
    };
    expect(await stored()).not.toContain(code);
    const tokens = await redeem(app.origin, client, { code, verifier });
    const after = await stored();
    expect(after).not.toContain(tokens.refresh_token);
    expect(after).not.toContain(client.clientSecret);
    expect(client.clientSecret).toMatch(/.{40}/);
  });
});

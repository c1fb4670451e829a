import { generateKeyPairSync } from "node:crypto";
import { exportJWK } from "jose";
import { describe, expect, it } from "vitest";
import { mayFetchMetadata } from "../../auth/authorization-server/metadata-fetches.ts";
import { setAttempts } from "../support/attempts.ts";
import { PASSWORD, startAuthApp, useAuthApp } from "../support/auth-app.ts";
import { Browser } from "../support/browser.ts";
import { testCore } from "../support/core.ts";
import {
  authorizationUrl,
  callMcp,
  openConsent,
  pkce,
  REDIRECT_URI,
  readTokens,
  signInAndApprove,
} from "../support/oauth-client.ts";
import { A_STORE } from "../support/thorough.ts";
import { fakeInternet } from "../support/threats/internet.ts";
import { assertedBy } from "./client-assertions.ts";

describe.each(A_STORE)("clients that publish their metadata", ({ open }) => {
  const WEB = "https://web.example.com/client";
  const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const documents: Record<string, object> = {
    [WEB]: {
      client_id: WEB,
      client_name: "Web",
      redirect_uris: ["https://web.example.com/callback"],
      jwks_uri: "https://web.example.com/jwks",
      token_endpoint_auth_method: "private_key_jwt",
      token_endpoint_auth_signing_alg: "RS256",
    },
    "https://moved.example.com/client": new Response(null, {
      status: 302,
      headers: { location: "http://169.254.169.254/" },
    }),
    "https://liar.example.com/client": { client_id: WEB, redirect_uris: ["https://liar.example.com/cb"] },
    "https://large.example.com/client": { client_id: "https://large.example.com/client", padding: "x".repeat(20_000) },
    "https://http.example.com/client": {
      client_id: "https://http.example.com/client",
      redirect_uris: ["http://elsewhere.example.com/cb"],
    },
    "https://scheme.example.com/client": {
      client_id: "https://scheme.example.com/client",
      redirect_uris: ["microsoft-edge:https://evil.example.com/cb", "https://scheme.example.com/cb"],
      token_endpoint_auth_method: "none",
    },
  };
  const net = fakeInternet(documents);
  const site = useAuthApp(open, { internet: net.parts });

  it("one with a key of its own proves itself by it, and only by it [facts.oauth.metadata-documents]", async () => {
    const { app } = site;
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: "web-1", alg: "RS256", use: "sig" };
    documents["https://web.example.com/jwks"] = { keys: [jwk] };
    const { email } = await app.addPerson((await app.addWorkspace()).id);
    const { verifier, challenge } = pkce();
    const redirectUri = "https://web.example.com/callback";
    const url = authorizationUrl(app.origin, { clientId: WEB }, challenge, { redirect_uri: redirectUri });
    const browser = new Browser(app.origin);
    const consent = await openConsent(app.origin, { email, password: PASSWORD, browser }, url);
    expect(consent.text).toContain("Published at web.example.com");
    const { left } = await browser.submit(consent, "Allow");
    const redemption = {
      grant_type: "authorization_code",
      client_id: WEB,
      code: left?.searchParams.get("code") ?? "",
      code_verifier: verifier,
      redirect_uri: redirectUri,
    };
    const send = (more: Record<string, string>) =>
      fetch(`${app.origin}/oauth/token`, { method: "POST", body: new URLSearchParams({ ...redemption, ...more }) });
    expect((await send({})).status).toBe(401);
    const proof = await assertedBy({ privateKey: keys.privateKey, alg: "RS256", kid: "web-1" }, WEB, app.origin);
    const answer = await send(proof);
    expect((await callMcp(app.origin, (await readTokens(answer)).access_token)).status).toBe(200);
    expect((await send(proof)).status).toBe(401);
  });

  it("a person decides about one as it asked: it is not asked again meanwhile [pages.security.outside-waits]", async () => {
    const { origin, core, addPerson, addWorkspace } = site.app;
    const away = fakeInternet({});
    // Has read nothing yet.
    const other = await startAuthApp(core, { internet: away.parts, publicOrigin: origin });
    const { email } = await addPerson((await addWorkspace()).id);
    const [here, there] = [new Browser(origin), new Browser(origin, { via: other.origin })];
    const params = { redirect_uri: "https://web.example.com/callback" };
    const { url } = await here.open(authorizationUrl(origin, { clientId: WEB }, pkce().challenge, params));
    for (const name of ["interaction", "interaction.sig", "resume", "resume.sig"])
      there.setCookie(`oauth_${name}`, here.cookie(`oauth_${name}`) ?? "");
    const consent = await there.submit(await there.open(url.href), "Sign in", { email, password: PASSWORD });
    expect(consent.text).toContain("Published at web.example.com");
    expect(away.fetched).toEqual([]);
    // By now what it said then is its last good document.
    expect((await there.submit(consent, "Allow")).left?.searchParams.get("code")).toBeTruthy();
    await other.close();
  });

  it("an error of one that published itself is a page too [completions.11.error-page]", async () => {
    const params = { redirect_uri: "https://web.example.com/callback", code_challenge: null };
    const page = await new Browser(site.app.origin).open(
      authorizationUrl(site.app.origin, { clientId: WEB }, pkce().challenge, params),
    );
    expect([page.status, page.left]).toEqual([400, null]);
    expect(page.text).toContain("Error code: invalid_request");
  });

  it.each([
    ["moved", 503],
    ["liar", 400],
    ["large", 503],
    ["http", 400],
    ["missing", 503],
  ])(
    "the document of %s.example.com is refused, whole, with %i [facts.oauth.metadata-documents] [completions.11.redirect-schemes]",
    async (name, status) => {
      const client = { clientId: `https://${name}.example.com/client` };
      const params = { redirect_uri: `https://${name}.example.com/cb` };
      const url = authorizationUrl(site.app.origin, client, pkce().challenge, params);
      const page = await new Browser(site.app.origin).open(url);
      expect([page.status, page.left]).toEqual([status, null]);
      expect(net.fetched.filter((url) => url.includes("169.254"))).toEqual([]);
    },
  );

  it("of a document's redirect addresses those that are taken count [completions.11.left-out]", async () => {
    const client = { clientId: "https://scheme.example.com/client" };
    const open = async (redirect_uri: string) =>
      new Browser(site.app.origin).open(authorizationUrl(site.app.origin, client, pkce().challenge, { redirect_uri }));
    expect((await open("https://scheme.example.com/cb")).html).toContain("Sign in</button>");
    const page = await open("microsoft-edge:https://evil.example.com/cb");
    expect([page.status, page.left]).toEqual([400, null]);
  });

  it("strangers cannot make us fetch without end, nor one of them for all [facts.oauth.ssrf]", async () => {
    const many = fakeInternet();
    const options = { internet: many.parts, trustProxy: true };
    const app = await startAuthApp(testCore(site.app.core.store, site.clock), options);
    site.clock.advance(60_000);
    let count = 0;
    const ask = (address: string) => {
      count += 1;
      const clientId = `https://n${count}.example.com/client`;
      const headers = { "x-forwarded-for": address };
      return fetch(authorizationUrl(app.origin, { clientId }, pkce().challenge), { redirect: "manual", headers });
    };
    for (let host = 1; host <= 35; host += 1) await ask(`2001:db8:0:${host}::1`);
    expect(many.fetched, "of one network").toHaveLength(30);
    for (let request = 0; request < 100; request += 1) await ask(`192.0.2.${request % 4}`);
    expect(many.fetched, "of four more that ask often").toHaveLength(30 + 4 * 3 + 33);
    for (let host = 1; host <= 120; host += 1) await ask(`198.51.100.${host}`);
    expect(many.fetched, "to connect").toHaveLength(60 + 120);
    await app.close();
  });

  it("strangers use up nothing of what clients have that somebody approved [facts.oauth.metadata-fetches]", async () => {
    const clientId = "https://vendor.example.com/client";
    const published = { client_id: clientId, redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: "none" };
    const core = testCore(site.app.core.store, site.clock);
    const { email } = await site.app.addPerson((await site.app.addWorkspace()).id);
    const start = () => startAuthApp(core, { internet: fakeInternet({ [clientId]: published }).parts });
    site.clock.advance(60_000);
    const first = await start();
    await signInAndApprove(first.origin, { email, password: PASSWORD, client: { clientId } });
    await first.close();
    await setAttempts(core, "client-metadata:all", 60, 120);
    // One that has not got the document at hand.
    const second = await start();
    const page = await new Browser(second.origin).open(authorizationUrl(second.origin, { clientId }, pkce().challenge));
    expect(page.html).toContain("Sign in</button>");
    await second.close();
    for (let count = 2; count <= 30; count += 1) expect(await mayFetchMetadata(core, clientId, "a")).toBe(true);
    expect(await mayFetchMetadata(core, clientId, "a")).toBe(false);
    expect(await mayFetchMetadata(core, "https://stranger.example.com/client", "b")).toBe(false);
  });
});

import { generateKeyPairSync, randomUUID } from "node:crypto";
import { exportSPKI, importJWK, type JWTHeaderParameters, SignJWT, UnsecuredJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { removeMember, setRole } from "../../auth/members.ts";
import { loadSigningKeys, publicPart, type SigningKey } from "../../auth/signing-keys.ts";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { Browser } from "../support/browser.ts";
import { listen } from "../support/http.ts";
import {
  authorizationUrl,
  callerOf,
  callMcp,
  openConsent,
  pkce,
  postRegistration,
  postToken,
  REDIRECT_URI,
  readTokens,
  refresh,
  register,
  signInAndApprove,
} from "../support/oauth-client.ts";
import { type ConnectedPerson, connectPerson } from "../support/oauth-person.ts";
import { STORES } from "../support/stores.ts";

const GRACE_MS = 30_000;

/** Each test has an address of its own, so that none is locked out for another's failures. */
let addresses = 0;
const fromElsewhere = (): { headers: Record<string, string> } => {
  addresses += 1;
  return { headers: { "x-forwarded-for": `198.51.100.${addresses % 250}, 203.0.113.${Math.floor(addresses / 250)}` } };
};

describe.each(STORES.slice(0, 1))("threats to access tokens", ({ open }) => {
  const site = useAuthApp(open, { trustProxy: true });
  let person: ConnectedPerson;
  let key: SigningKey;
  let claims: Record<string, unknown>;

  beforeAll(async () => {
    person = await connectPerson(site.app);
    const [newest] = await loadSigningKeys(site.app.core);
    if (newest === undefined) throw new Error("no signing key");
    key = newest;
    claims = JSON.parse(Buffer.from(person.accessToken.split(".")[1] ?? "", "base64url").toString());
  });

  const sign = async (
    payload: object,
    header: Partial<JWTHeaderParameters> = {},
    jwk: object = key,
  ): Promise<string> => {
    const protectedHeader = { alg: "ES256", typ: "at+jwt", kid: key.kid, ...header };
    return new SignJWT({ ...payload }).setProtectedHeader(protectedHeader).sign(await importJWK(jwk, "ES256"));
  };
  const call = (token: string) => callMcp(site.app.origin, token, fromElsewhere());
  async function expectInvalid(token: string): Promise<void> {
    const answer = await call(token);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer error="invalid_token", .*resource_metadata="http/);
    expect(await answer.json()).toMatchObject({ error: { code: "invalid_credentials" } });
  }

  it("the forger's tools make a good token when nothing is wrong with it", async () => {
    expect((await call(await sign(claims))).status).toBe(200);
  });

  it("algorithm none [facts.oauth.token-algorithm]", () => expectInvalid(new UnsecuredJWT(claims).encode()));

  it("HS256 with the public key as its secret [facts.oauth.token-algorithm]", async () => {
    const pem = await exportSPKI(await importPublic(key));
    const secrets = [pem, JSON.stringify(publicPart(key)), key.x];
    for (const secret of secrets) {
      const header = { alg: "HS256", typ: "at+jwt", kid: key.kid };
      await expectInvalid(await new SignJWT(claims).setProtectedHeader(header).sign(new TextEncoder().encode(secret)));
    }
  });

  it("another key, under our key id and under its own [facts.oauth.token-algorithm]", async () => {
    const other = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
    await expectInvalid(await sign(claims, {}, other));
    await expectInvalid(await sign(claims, { kid: "other" }, other));
  });

  it("a key or its address in the header, which nobody fetches; critical extensions [facts.oauth.token-algorithm]", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const [own, jwk] = [privateKey.export({ format: "jwk" }), publicKey.export({ format: "jwk" })];
    let fetched = 0;
    const keys = await listen((_request, response) => {
      fetched += 1;
      response.end(JSON.stringify({ keys: [jwk] }));
    });
    await expectInvalid(await sign(claims, { jwk: { kty: "EC", ...jwk } }, own));
    await expectInvalid(await sign(claims, { jku: keys.url, kid: "theirs" }, own));
    await expectInvalid(await sign(claims, { x5u: keys.url, kid: "theirs" }, own));
    await expectInvalid(await sign(claims, { jku: keys.url }));
    const [, body = "", signature = ""] = (await sign(claims)).split(".");
    const header = Buffer.from(JSON.stringify({ alg: "ES256", typ: "at+jwt", kid: key.kid, crit: ["x"], x: 1 }));
    await expectInvalid([header.toString("base64url"), body, signature].join("."));
    await keys.close();
    expect(fetched).toBe(0);
  });

  it("a storm of unknown key ids reaches nothing", async () => {
    const answers = await Promise.all(
      Array.from({ length: 15 }, async () => call(await sign(claims, { kid: randomUUID() }))),
    );
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 401));
  });

  it.each([
    ["another audience", { aud: "https://other.example.com/mcp" }],
    ["our origin as audience", { aud: "ORIGIN" }],
    ["a prefix of our audience", { aud: "ORIGIN/mc" }],
    ["our audience and more", { aud: "ORIGIN/mcp/" }],
    ["several audiences", { aud: ["ORIGIN/mcp", "https://other.example.com"] }],
    ["another issuer", { iss: "https://issuer.example.com" }],
    ["the issuer with a slash", { iss: "ORIGIN/" }],
    ["no expiry", { exp: undefined }],
    ["no subject", { sub: undefined }],
    ["no client", { client_id: undefined }],
    ["no id", { jti: undefined }],
    ["no connection", { connection_id: undefined }],
    ["no workspace", { tenant_id: undefined }],
    ["not before tomorrow", { nbf: Math.floor(Date.now() / 1000) + 86_400 }],
    ["a subject that is no person's id", { sub: "admin" }],
    ["a key of its holder (DPoP), sent as a bearer token", { cnf: { jkt: "thumbprint" } }],
  ])("%s [facts.oauth.token-claims]", async (_what, change) => {
    const changed = JSON.parse(JSON.stringify(change).replaceAll("ORIGIN", site.app.origin));
    const payload: Record<string, unknown> = { ...claims, ...changed };
    for (const [name, value] of Object.entries(change)) if (value === undefined) delete payload[name];
    await expectInvalid(await sign(payload));
  });

  it.each(["JWT", "id+jwt", undefined])("the type %s [facts.oauth.token-claims]", async (typ) => {
    const header = { alg: "ES256", kid: key.kid, ...(typ === undefined ? {} : { typ }) };
    await expectInvalid(await new SignJWT(claims).setProtectedHeader(header).sign(await importJWK(key, "ES256")));
  });

  it("another person, client, connection or workspace than the connection's [facts.oauth.token-mismatch]", async () => {
    const other = await connectPerson(site.app);
    const theirs = JSON.parse(Buffer.from(other.accessToken.split(".")[1] ?? "", "base64url").toString());
    for (const name of ["sub", "client_id", "connection_id", "tenant_id"])
      await expectInvalid(await sign({ ...claims, [name]: theirs[name] }));
  });

  it("an expired token [facts.oauth.token-claims]", async () => {
    const expired = await sign({ ...claims, exp: Math.floor(site.clock.now().getTime() / 1000) - 6 });
    await expectInvalid(expired);
  });

  it.each(["", "x", "a.b.c", "%%%", "a b", "rcv_0000000000000000000000000000000000000000"])(
    "a credential that is no token: %j [service.5.7]",
    async (credential) => {
      const answer = await callMcp(site.app.origin, credential, fromElsewhere());
      expect(answer.status).toBe(401);
    },
  );

  it("a token in the query string, even a valid one [facts.oauth.token-in-query]", async () => {
    const answer = await callMcp(site.app.origin, null, {
      ...fromElsewhere(),
      query: `?access_token=${person.accessToken}`,
    });
    expect(answer.status).toBe(400);
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer error="invalid_request", resource_metadata=/);
    const both = await callMcp(site.app.origin, person.accessToken, { query: `?access_token=${person.accessToken}` });
    expect(both.status).toBe(400);
  });
});

async function importPublic(key: SigningKey) {
  const imported = await importJWK(publicPart(key), "ES256", { extractable: true });
  if (imported instanceof Uint8Array) throw new Error("not a public key");
  return imported;
}

/** Ways to a request, and what is expected of its refusal. */
function requestsOf(site: ReturnType<typeof useAuthApp>) {
  /** A person, and a client's request that is ready to be opened. */
  async function prepare(params: Record<string, string | null> = {}) {
    const workspace = await site.app.addWorkspace();
    const person = await site.app.addPerson(workspace.id);
    const client = await register(site.app.origin);
    const { verifier, challenge } = pkce();
    const url = authorizationUrl(site.app.origin, client, challenge, params);
    return { person, client, verifier, url, browser: new Browser(site.app.origin) };
  }

  /** A code that nobody has redeemed yet. */
  async function codeOf(params: Record<string, string | null> = {}) {
    const prepared = await prepare(params);
    const { person, browser, url } = prepared;
    const consent = await openConsent(site.app.origin, { email: person.email, password: PASSWORD, browser }, url);
    const { left } = await browser.submit(consent, "Allow");
    return { ...prepared, code: left?.searchParams.get("code") ?? "" };
  }
  const redemption = (code: string, verifier: string) => ({
    grant_type: "authorization_code",
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT_URI,
  });
  async function expectError(answer: Response, error: string): Promise<void> {
    expect(answer.status).toBe(error === "invalid_client" ? 401 : 400);
    expect(await answer.json()).toMatchObject({ error });
    expect(answer.headers.get("cache-control")).toContain("no-store");
  }
  return { prepare, codeOf, redemption, expectError };
}

describe.each(STORES.slice(0, 1))("threats to authorization", ({ open }) => {
  const site = useAuthApp(open, { trustProxy: true });
  const { prepare, codeOf, redemption, expectError } = requestsOf(site);

  it.each([
    ["an address nobody registered", "https://attacker.example.com/callback"],
    ["another path on the same machine", "http://127.0.0.1:9/other"],
    ["another name of the same machine", "http://localhost:9/callback"],
    ["a registered address with more behind it", `${REDIRECT_URI}/more`],
    ["a registered address with a query", `${REDIRECT_URI}?next=https://attacker.example.com`],
    ["a script", "javascript:alert(1)"],
  ])("open redirect: %s gets a page and no Location [facts.oauth.open-redirect]", async (_what, redirectUri) => {
    const { url, browser } = await prepare({ redirect_uri: redirectUri });
    const page = await browser.open(url);
    expect(page.status).toBe(400);
    expect(page.left).toBeNull();
    expect(page.headers.get("x-frame-options")).toBe("DENY");
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(page.html).not.toMatch(/attacker|at Object|node_modules/);
  });

  it("the port may vary, on the loopback address alone [facts.oauth.open-redirect]", async () => {
    const workspace = await site.app.addWorkspace();
    const { email } = await site.app.addPerson(workspace.id);
    const redirectUri = "http://127.0.0.1:50123/callback";
    const approved = await signInAndApprove(site.app.origin, {
      email,
      password: PASSWORD,
      params: { redirect_uri: redirectUri },
    });
    expect(approved.tokens.token_type).toBe("Bearer");
    const web = await register(site.app.origin, { redirect_uris: ["https://client.example.com/callback"] });
    const elsewhere = { redirect_uri: "https://client.example.com:8443/callback" };
    const page = await new Browser(site.app.origin).open(
      authorizationUrl(site.app.origin, web, pkce().challenge, elsewhere),
    );
    expect(page.status).toBe(400);
  });

  it.each([
    ["missing", { code_challenge: null, code_challenge_method: null }],
    ["plain", { code_challenge_method: "plain" }],
  ])("PKCE %s is refused before anybody is asked [facts.oauth.pkce]", async (_what, params) => {
    const { url, browser } = await prepare(params);
    const { left } = await browser.open(url);
    expect(left?.searchParams.get("error")).toBe("invalid_request");
    expect(left?.searchParams.get("iss")).toBe(site.app.origin);
    expect(left?.searchParams.get("state")).toBe("state-of-the-test");
  });

  it("a wrong or missing verifier is refused, for a client with a secret too [facts.oauth.pkce]", async () => {
    const { client, code } = await codeOf();
    await expectError(await postToken(site.app.origin, client, redemption(code, pkce().verifier)), "invalid_grant");
    const { code_verifier: _verifier, ...without } = redemption(code, "");
    await expectError(await postToken(site.app.origin, client, without), "invalid_grant");
    const secretive = await register(site.app.origin, { token_endpoint_auth_method: "client_secret_post" });
    const url = authorizationUrl(site.app.origin, secretive, "", { code_challenge: null, code_challenge_method: null });
    const { left } = await new Browser(site.app.origin).open(url);
    expect(left?.searchParams.get("error")).toBe("invalid_request");
  });

  it("another client's code or refresh token is refused, and so is another redirect_uri [facts.oauth.client-binding]", async () => {
    const { client, verifier, code } = await codeOf();
    const stranger = await register(site.app.origin);
    await expectError(await postToken(site.app.origin, stranger, redemption(code, verifier)), "invalid_grant");
    const moved = { ...redemption(code, verifier), redirect_uri: "http://127.0.0.1:10/callback" };
    await expectError(await postToken(site.app.origin, client, moved), "invalid_grant");
    const person = await connectPerson(site.app);
    await expectError(await refresh(site.app.origin, stranger, person.refreshToken), "invalid_grant");
    expect((await refresh(site.app.origin, person.client, person.refreshToken)).status).toBe(200);
  });

  it("a client's secret is needed where it has one [facts.oauth.client-binding]", async () => {
    const client = await register(site.app.origin, { token_endpoint_auth_method: "client_secret_post" });
    const person = await connectPerson(site.app, { client });
    expect((await refresh(site.app.origin, client, person.refreshToken)).status).toBe(200);
    const wrong = { ...client, clientSecret: "wrong" };
    await expectError(await refresh(site.app.origin, wrong, person.refreshToken), "invalid_client");
    await expectError(
      await refresh(site.app.origin, { clientId: client.clientId }, person.refreshToken),
      "invalid_client",
    );
  });

  it("a refresh cannot ask for more than was granted [facts.oauth.scope-escalation]", async () => {
    const person = await connectPerson(site.app, { scope: "receivables:read tasks:write" });
    const more = { scope: "receivables:read payment_links:write" };
    await expectError(await refresh(site.app.origin, person.client, person.refreshToken, more), "invalid_scope");
    const less = await refresh(site.app.origin, person.client, person.refreshToken, { scope: "receivables:read" });
    const { access_token: token } = await readTokens(less);
    const { actor } = await callerOf(await callMcp(site.app.origin, token));
    expect(actor.scopes).toEqual(["receivables:read"]);
  });

  it("a foreign resource, alone or beside ours, is refused at both endpoints [facts.oauth.resource]", async () => {
    const { url, browser } = await prepare({ resource: "https://other.example.com/mcp" });
    expect((await browser.open(url)).left?.searchParams.get("error")).toBe("invalid_target");
    const second = `${(await prepare()).url}&resource=${encodeURIComponent("https://other.example.com/mcp")}`;
    expect((await browser.open(second)).left?.searchParams.get("error")).toBe("invalid_target");
    const { client, verifier, code } = await codeOf();
    const foreign = { ...redemption(code, verifier), resource: "https://other.example.com/mcp" };
    await expectError(await postToken(site.app.origin, client, foreign), "invalid_target");
  });

  it("the issuer is named in success and in refusal, so that answers cannot be mixed up [facts.oauth.mix-up]", async () => {
    for (const button of ["Allow", "Deny"]) {
      const { person, browser, url } = await prepare();
      const consent = await openConsent(site.app.origin, { email: person.email, password: PASSWORD, browser }, url);
      const { left } = await browser.submit(consent, button);
      expect(left?.searchParams.get("iss")).toBe(site.app.origin);
      expect(left?.searchParams.get("state")).toBe("state-of-the-test");
      expect(left?.searchParams.get("error")).toBe(button === "Allow" ? null : "access_denied");
    }
  });

  it("a demoted member's next call has the new role [completions.1.role-at-call]", async () => {
    const person = await connectPerson(site.app);
    await setRole(site.app.core, person.workspace.id, { email: person.email, role: "member" });
    const { actor } = await callerOf(await callMcp(site.app.origin, person.accessToken));
    expect(actor.role).toBe("member");
  });

  it("registrations beyond 16 kB and beyond the limit of an address are refused [facts.oauth.registration-limits]", async () => {
    const large = await postRegistration(site.app.origin, {
      redirect_uris: [REDIRECT_URI],
      client_name: "x".repeat(16_384),
    });
    expect(large.status).toBe(413);
    const headers = { "content-type": "application/json", "x-forwarded-for": "192.0.2.77" };
    const body = JSON.stringify({ redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: "none" });
    const send = () => fetch(`${site.app.origin}/oauth/register`, { method: "POST", headers, body });
    const answers = [];
    for (let count = 0; count < 61; count += 1) answers.push((await send()).status);
    expect(answers.slice(0, 60).every((status) => status === 201)).toBe(true);
    expect(answers[60]).toBe(429);
    expect(Number((await send()).headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe.each(STORES)("threats that race, on $name", ({ open }) => {
  const site = useAuthApp(open);
  const { codeOf, redemption, expectError } = requestsOf(site);

  it("a code used twice ends the connection [facts.oauth.code-replay]", async () => {
    const { client, verifier, code } = await codeOf();
    const first = await postToken(site.app.origin, client, redemption(code, verifier));
    const tokens = await readTokens(first);
    expect((await callMcp(site.app.origin, tokens.access_token)).status).toBe(200);
    await expectError(await postToken(site.app.origin, client, redemption(code, verifier)), "invalid_grant");
    expect((await callMcp(site.app.origin, tokens.access_token)).status).toBe(401);
    await expectError(await refresh(site.app.origin, client, tokens.refresh_token ?? ""), "invalid_grant");
  });

  it("of a code used five times at once, one use at most succeeds, and the connection ends [facts.oauth.code-replay]", async () => {
    const { client, verifier, code } = await codeOf();
    const uses = Array.from({ length: 5 }, () => postToken(site.app.origin, client, redemption(code, verifier)));
    const answers = await Promise.all(uses);
    const good = answers.filter((answer) => answer.status === 200);
    expect(good.length).toBeLessThanOrEqual(1);
    for (const answer of good) {
      const { access_token: token } = await readTokens(answer);
      expect((await callMcp(site.app.origin, token)).status).toBe(401);
    }
  });

  it("a refresh token used again after the grace period ends the connection, its newest token too [facts.oauth.refresh-replay]", async () => {
    const person = await connectPerson(site.app);
    const next = await refresh(site.app.origin, person.client, person.refreshToken);
    const newest = await readTokens(next);
    site.clock.advance(GRACE_MS);
    await expectError(await refresh(site.app.origin, person.client, person.refreshToken), "invalid_grant");
    await expectError(await refresh(site.app.origin, person.client, newest.refresh_token ?? ""), "invalid_grant");
    expect((await callMcp(site.app.origin, newest.access_token)).status).toBe(401);
  });

  it("a token stolen within the grace period is found out at the next rotation [facts.oauth.refresh-replay]", async () => {
    const person = await connectPerson(site.app);
    const own = await readTokens(await refresh(site.app.origin, person.client, person.refreshToken));
    const stolen = await readTokens(await refresh(site.app.origin, person.client, person.refreshToken));
    expect((await refresh(site.app.origin, person.client, own.refresh_token ?? "")).status).toBe(200);
    site.clock.advance(GRACE_MS);
    await expectError(await refresh(site.app.origin, person.client, stolen.refresh_token ?? ""), "invalid_grant");
    expect((await callMcp(site.app.origin, person.accessToken)).status).toBe(401);
  });

  it("a removed member's next call and refresh are refused [facts.oauth.member-removed]", async () => {
    const person = await connectPerson(site.app);
    await removeMember(site.app.core, person.workspace.id, { email: person.email });
    const answer = await callMcp(site.app.origin, person.accessToken);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ error: { code: "revoked_credentials" } });
    await expectError(await refresh(site.app.origin, person.client, person.refreshToken), "invalid_grant");
  });
});

import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { createStripeSimulator } from "../../src/simulators/stripe/index.ts";
import { setAttempts } from "../support/attempts.ts";
import { Browser, type BrowserPage } from "../support/browser.ts";
import { heldProvider } from "../support/held-provider.ts";
import { listen } from "../support/http.ts";
import { callOverWire } from "../support/mcp-call.ts";
import {
  authorizationUrl,
  openConsent,
  pkce,
  postRegistration,
  postToken,
  REDIRECT_URI,
  readTokens,
  refresh,
  register,
} from "../support/oauth-client.ts";
import type { ConnectedPerson } from "../support/oauth-person.ts";
import { PASSWORD } from "../support/people.ts";
import { A_SERVICE } from "../support/thorough.ts";
import { claimsOf, type Forger, forgerOf } from "../support/threats/forger.ts";
import { askedConsent, preparedRequest, refusalOf, signedIn, unredeemedCode } from "../support/threats/requests.ts";
import { useThreatSite } from "../support/threats/site.ts";
import { NOTHING_DONE, workingAssistant } from "../support/working-assistant.ts";

const GRACE_MS = 30_000;
const READ = "receivables:read";
const EVIL = "https://evil.example.com";

describe.each(A_SERVICE)("threats, on %s", (kind) => {
  const site = useThreatSite(kind);
  let person: ConnectedPerson;
  let forger: Forger;
  beforeAll(async () => {
    person = await site.connect();
    forger = await forgerOf(site.service.core, person.accessToken);
  });

  async function expectInvalid(what: string, token: string): Promise<void> {
    const answer = await site.call(token);
    expect(answer.status, what).toBe(401);
    expect(answer.headers.get("www-authenticate"), what).toMatch(
      /^Bearer error="invalid_token", .*resource_metadata="http/,
    );
    expect(await answer.json(), what).toMatchObject({ error: { code: "invalid_credentials" } });
  }
  async function expectPage(page: BrowserPage): Promise<void> {
    expect([page.status, page.left]).toEqual([400, null]);
    expect(page.html).not.toMatch(/evil|at Object|node_modules/);
  }
  async function expectError(page: BrowserPage, code: string): Promise<void> {
    await expectPage(page);
    expect(page.text).toContain(`Error code: ${code}`);
  }
  const statusOf = async (token: string): Promise<number> => (await site.call(token)).status;

  it("would let a token in that nothing is wrong with", async () => {
    expect(await statusOf(await forger.sign())).toBe(200);
  });

  it("algorithm none; HS256 with the public key; another key; jwk, jku, x5u; crit → 401 invalid_token, and nothing fetched that the token names [facts.oauth.token-algorithm]", async () => {
    const { privateKey, publicKey } = forger.ownKey();
    let fetched = 0;
    const keys = await listen((_request, response) => {
      fetched += 1;
      response.end(JSON.stringify({ keys: [publicKey] }));
    });
    await expectInvalid("none", forger.unsigned());
    for (const token of await forger.symmetric()) await expectInvalid("HS256", token);
    await expectInvalid("another key under our id", await forger.sign({}, {}, privateKey));
    await expectInvalid("another key", await forger.sign({}, { kid: "other" }, privateKey));
    await expectInvalid("jwk", await forger.sign({}, { jwk: { kty: "EC", ...publicKey } }, privateKey));
    await expectInvalid("jku", await forger.sign({}, { jku: keys.url, kid: "theirs" }, privateKey));
    await expectInvalid("x5u", await forger.sign({}, { x5u: keys.url, kid: "theirs" }, privateKey));
    await expectInvalid("jku beside our key", await forger.sign({}, { jku: keys.url }));
    await expectInvalid("crit", await forger.withHeader({ crit: ["x"], x: 1 }));
    await keys.close();
    expect(fetched).toBe(0);
  });

  it("a wrong or longer or shorter aud, iss, iss with a slash, typ, exp, nbf; a claim missing; no token at all → 401 [facts.oauth.token-claims] [service.5.7]", async () => {
    const { origin, clock } = site;
    const seconds = Math.floor(clock.now().getTime() / 1000);
    const wrong: Record<string, object> = {
      "another audience": { aud: `${EVIL}/mcp` },
      "our origin as audience": { aud: origin },
      "a prefix of our audience": { aud: `${origin}/mc` },
      "our audience and a slash": { aud: `${origin}/mcp/` },
      "several audiences": { aud: [`${origin}/mcp`, EVIL] },
      "another issuer": { iss: EVIL },
      "the issuer with a slash": { iss: `${origin}/` },
      "an expired token": { exp: seconds - 6 },
      "one that begins tomorrow": { nbf: seconds + 86_400 },
      "a subject that is no person's id": { sub: "admin" },
    };
    for (const name of ["exp", "iat", "sub", "client_id", "jti", "aud", "iss", "connection_id", "tenant_id"])
      wrong[`no ${name}`] = { [name]: undefined };
    for (const [what, change] of Object.entries(wrong)) await expectInvalid(what, await forger.sign({ ...change }));
    for (const typ of ["JWT", "id+jwt", undefined])
      await expectInvalid(`type ${typ}`, await forger.sign({}, typ === undefined ? { typ: "" } : { typ }));
    const nonsense = ["", "x", "a.b.c", "%%%", "a b", "rcv_0000000000000000000000000000000000000000"];
    for (const credential of nonsense) expect(await statusOf(credential), credential).toBe(401);
  });

  it("a token of ours that mixes person, client, connection or workspace of two → 401, which only the store can tell [facts.oauth.token-mismatch]", async () => {
    const theirs = claimsOf((await site.connect()).accessToken);
    for (const name of ["sub", "client_id", "connection_id", "tenant_id"])
      await expectInvalid(name, await forger.sign({ [name]: theirs[name] }));
  });

  it("a token bound to a key (DPoP), sent as a bearer token → 401 [facts.oauth.token-claims]", async () => {
    await expectInvalid("cnf", await forger.sign({ cnf: { jkt: "thumbprint" } }));
  });

  it("a token in the query string → 400, even a valid one [facts.oauth.token-in-query]", async () => {
    for (const token of [null, person.accessToken]) {
      const answer = await site.call(token, { query: `?access_token=${person.accessToken}` });
      expect(answer.status).toBe(400);
      expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer error="invalid_request", resource_metadata=/);
    }
  });

  it("a call for which the scope is missing → 403 insufficient_scope, with the scopes it has and needs, and the metadata of the resource [completions.2.step-up]", async () => {
    const reader = await site.connect({ scope: `${READ} receipts:push` });
    const call = { tool: "dismiss_task", arguments: { task_id: randomUUID() } };
    const refused = await site.call(reader.accessToken, call);
    expect(refused.status).toBe(403);
    expect(refused.headers.get("www-authenticate")).toBe(
      `Bearer error="insufficient_scope", scope="${READ} tasks:write receipts:push", resource_metadata="${site.origin}/.well-known/oauth-protected-resource/mcp"`,
    );
  });

  it("open redirect, and mixing of redirects → a page with 400 and no Location; the port may vary on loopback alone [facts.oauth.open-redirect]", async () => {
    const addresses = [
      `${EVIL}/callback`,
      "http://127.0.0.1:9/other",
      "http://localhost:9/callback",
      `${REDIRECT_URI}/more`,
      `${REDIRECT_URI}?next=${EVIL}`,
      "javascript:alert(1)",
    ];
    for (const address of addresses) {
      const { url, browser } = await preparedRequest(site, { redirect_uri: address });
      await expectPage(await browser.open(url));
    }
    const params = { redirect_uri: "http://127.0.0.1:50123/callback" };
    const approved = await site.connect({ params });
    expect(approved.tokens.token_type).toBe("Bearer");
    const web = { redirect_uris: ["https://client.example.com/callback"] };
    const elsewhere = { redirect_uri: "https://client.example.com:8443/callback" };
    const { url, browser } = await preparedRequest(site, elsewhere, web);
    await expectPage(await browser.open(url));
  });

  it("open redirect by an authorization error of a client that anybody registered → a page with 400 and no Location, signed in or not; the person's own no goes to the client [completions.11.error-page]", async () => {
    const redirect = { redirect_uris: [`${EVIL}/callback`] };
    const browser = new Browser(site.origin);
    for (const signedInFirst of [false, true]) {
      if (signedInFirst) await signedIn(browser, (await site.addPerson((await site.addWorkspace()).id)).email);
      const client = await register(site.origin, redirect);
      for (const params of [{ code_challenge: null }, { prompt: "none" }, { resource: `${EVIL}/mcp` }]) {
        const sent = { redirect_uri: `${EVIL}/callback`, ...params };
        const page = await browser.open(authorizationUrl(site.origin, client, pkce().challenge, sent));
        await expectPage(page);
        expect([page.headers.get("location"), page.headers.get("x-frame-options")]).toEqual([null, "DENY"]);
      }
    }
    const asked = await askedConsent(site, { redirect_uri: `${EVIL}/callback` }, redirect);
    const denied = await asked.browser.submit(asked.page, "Deny");
    expect(denied.left?.origin).toBe(EVIL);
    expect(denied.left?.searchParams.get("error")).toBe("access_denied");
  });

  it("a redirect that the system opens as something else, or that reads differently from what it is → refused at registration, and left out beside others; what is taken is shown whole [completions.11.left-out] [completions.11.redirect-schemes] [completions.11.whole-address]", async () => {
    const refused = [
      `microsoft-edge:${EVIL}/cb`,
      "microsoft-edge://evil.example.com/cb",
      "ms-word:ofe|u|https://evil.example.com",
      "data:text/html,x",
      "file:///etc/passwd",
      "intent://evil.example.com#Intent;scheme=https;end",
      "googlechrome://evil.example.com",
      "x-safari-https://evil.example.com",
      "view-source:https://evil.example.com",
      "http://evil.example.com/cb",
      "https://claude.ai@evil.example.com/cb",
      "https://user:secret@client.example.com/cb",
      "https://@client.example.com/cb",
      "http://user@127.0.0.1:9/callback",
      "cursor://user@anysphere.cursor-mcp/oauth/callback",
      "https://client.example.com/cb#fragment",
      "https://client.example.com/cb#",
      "https://client.example.com/\u202Ebc",
      " https://client.example.com/cb",
      "https://client.example.com/c\nb",
      "https://[::1",
      "https://",
      "not an address",
      "unheard-of://callback",
      `https://client.example.com/${"x".repeat(2_000)}`,
    ];
    const registered = async (redirect_uris: string[]): Promise<unknown> =>
      (await postRegistration(site.origin, { redirect_uris }, { headers: site.fromElsewhere() })).json();
    for (const address of refused)
      expect(await registered([address]), address).toMatchObject({ error: "invalid_redirect_uri" });
    expect(await registered([...refused, REDIRECT_URI])).toMatchObject({ redirect_uris: [REDIRECT_URI] });
    const long = `https://client.example.com/cb?next=${"x".repeat(900)}&a=<b>`.replace(/[<>]/g, encodeURIComponent);
    const taken: [address: string, words: string][] = [
      [long, "client.example.com"],
      ["cursor://anysphere.cursor-mcp/oauth/callback", "the app “cursor” on this device"],
      ["vscode://vendor.extension/cb", "the app “vscode” on this device"],
      ["warp://mcp/oauth2callback", "the app “warp” on this device"],
      ["com.example.app:/callback", "the app “com.example.app” on this device"],
      ["http://127.0.0.1:9/callback?x=1", "a program on this computer (127.0.0.1)"],
    ];
    for (const [address, words] of taken) {
      const { page } = await askedConsent(site, { redirect_uri: address }, { redirect_uris: [address] });
      expect(page.text).toContain(`Access is handed to ${words} ${address}`);
      expect(page.html).not.toContain(`href="${address}`);
    }
  });

  it("PKCE missing, plain or wrong; another client's code or refresh token; another redirect_uri at the token endpoint; no secret → refused [facts.oauth.pkce] [facts.oauth.client-binding]", async () => {
    const secretive = { token_endpoint_auth_method: "client_secret_post" };
    const missing = { code_challenge: null, code_challenge_method: null };
    for (const [params, metadata] of [
      [missing, {}],
      [missing, secretive],
      [{ code_challenge_method: "plain" }, {}],
    ] as const) {
      const { url, browser } = await preparedRequest(site, params, metadata);
      await expectError(await browser.open(url), "invalid_request");
    }
    const { redeem } = await unredeemedCode(site);
    const stranger = await register(site.origin);
    expect(await refusalOf(await redeem({ code_verifier: pkce().verifier }))).toBe("invalid_grant");
    expect(await refusalOf(await redeem({ code_verifier: "" }))).toBe("invalid_grant");
    expect(await refusalOf(await redeem({}, stranger))).toBe("invalid_grant");
    expect(await refusalOf(await redeem({ redirect_uri: "http://127.0.0.1:10/callback" }))).toBe("invalid_grant");
    const client = await register(site.origin, secretive);
    const { refreshToken } = await site.connect({ client });
    expect(await refusalOf(await refresh(site.origin, stranger, refreshToken))).toBe("invalid_grant");
    for (const secret of [{ clientSecret: "wrong" }, { clientSecret: undefined }])
      expect(await refusalOf(await refresh(site.origin, { ...client, ...secret }, refreshToken))).toBe(
        "invalid_client",
      );
    expect(await refusalOf(await refresh(site.origin, client, refreshToken))).toBeNull();
  });

  it("replay of a code; replay of a refresh token after its grace, also by whoever stole it within → invalid_grant, and the connection ends, its newest token too [facts.oauth.code-replay] [facts.oauth.refresh-replay]", async () => {
    const { client, redeem } = await unredeemedCode(site);
    const tokens = await readTokens(await redeem());
    expect(await statusOf(tokens.access_token)).toBe(200);
    expect(await refusalOf(await redeem())).toBe("invalid_grant");
    expect(await statusOf(tokens.access_token)).toBe(401);
    expect(await refusalOf(await refresh(site.origin, client, tokens.refresh_token ?? ""))).toBe("invalid_grant");

    const raced = await unredeemedCode(site);
    const uses = await Promise.all(Array.from({ length: 5 }, () => raced.redeem()));
    const good = uses.filter((answer) => answer.status === 200);
    expect(good.length).toBeLessThanOrEqual(1);
    for (const answer of good) expect(await statusOf((await readTokens(answer)).access_token)).toBe(401);

    const robbed = await site.connect();
    const renew = (token: string) => refresh(site.origin, robbed.client, token);
    const newest = await readTokens(await renew(robbed.refreshToken));
    site.clock.advance(GRACE_MS);
    expect(await refusalOf(await renew(robbed.refreshToken))).toBe("invalid_grant");
    expect(await refusalOf(await renew(newest.refresh_token ?? ""))).toBe("invalid_grant");
    expect(await statusOf(newest.access_token)).toBe(401);

    const watched = await site.connect();
    const renewed = (token = "") => refresh(site.origin, watched.client, token);
    const own = await readTokens(await renewed(watched.refreshToken));
    const stolen = await readTokens(await renewed(watched.refreshToken));
    expect(await refusalOf(await renewed(own.refresh_token))).toBeNull();
    site.clock.advance(GRACE_MS);
    expect(await refusalOf(await renewed(stolen.refresh_token))).toBe("invalid_grant");
    expect(await statusOf(own.access_token)).toBe(401);
  });

  it("a foreign resource, or two → invalid_target, at both endpoints, and nothing is spent on it [facts.oauth.resource]", async () => {
    const foreign = `${EVIL}/mcp`;
    const { url, browser } = await preparedRequest(site, { resource: foreign });
    await expectError(await browser.open(url), "invalid_target");
    const second = `${(await preparedRequest(site)).url}&resource=${encodeURIComponent(foreign)}`;
    await expectError(await browser.open(second), "invalid_target");
    const secretive = { token_endpoint_auth_method: "client_secret_post" };
    const { client, redeem } = await unredeemedCode(site, {}, secretive);
    const thief = { ...client, clientSecret: "wrong" };
    expect(await refusalOf(await redeem({ resource: foreign }, thief))).toBe("invalid_client");
    expect(await refusalOf(await redeem({ resource: foreign }))).toBe("invalid_target");
    const tokens = await readTokens(await redeem());
    const renew = (params = {}) => refresh(site.origin, client, tokens.refresh_token ?? "", params);
    expect(await refusalOf(await renew({ resource: foreign }))).toBe("invalid_target");
    const twice = new URLSearchParams({ grant_type: "refresh_token", refresh_token: tokens.refresh_token ?? "" });
    for (const name of [`${site.origin}/mcp`, foreign]) twice.append("resource", name);
    twice.append("client_id", client.clientId);
    twice.append("client_secret", client.clientSecret ?? "");
    const answer = await fetch(`${site.origin}/oauth/token`, { method: "POST", body: twice });
    expect(await refusalOf(answer)).toBe("invalid_target");
    site.clock.advance(GRACE_MS);
    expect(await refusalOf(await renew())).toBeNull();
  });

  it("mix-up of issuers → iss in success and in error [facts.oauth.mix-up]", async () => {
    for (const button of ["Allow", "Deny"]) {
      const { browser, page } = await askedConsent(site);
      const { left } = await browser.submit(page, button);
      const said = ["iss", "state", "error"].map((name) => left?.searchParams.get(name));
      expect(said).toEqual([site.origin, "state-of-the-test", button === "Allow" ? null : "access_denied"]);
    }
  });

  it("forged forms of sign-in, consent and revocation → 403 without the form's own token, our Origin and our Sec-Fetch-Site [facts.oauth.csrf]", async () => {
    const { browser, page, person: asked } = await askedConsent(site);
    const stranger = await site.connect();
    const connections = await stranger.browser.open("/connections");
    const signedOut = new Browser(site.origin);
    const signIn = await signedOut.open((await preparedRequest(site)).url);
    const another = await new Browser(site.origin).open("/signin");
    const forms = [
      { of: signedOut, form: signIn.formWith("Sign in") },
      ...["Allow", "Sign out"].map((button) => ({ of: browser, form: page.formWith(button) })),
      { of: stranger.browser, form: connections.formWith("Revoke") },
    ];
    for (const { of, form } of forms) {
      const fields = { ...form.fields, ...form.buttonField, email: asked.email, password: PASSWORD };
      const sent = async (change: object, headers = {}): Promise<number> =>
        (await of.post(form.action, new URLSearchParams({ ...fields, ...change }), headers)).status;
      for (const token of ["", "AAAA", another.formWith("Sign in").fields.form_token ?? ""])
        expect(await sent({ form_token: token }), form.action).toBe(403);
      for (const origin of [EVIL, "null", `${site.origin}.evil.example.com`])
        expect(await sent({}, { origin }), `${form.action} from ${origin}`).toBe(403);
      for (const from of ["cross-site", "same-site"])
        expect(await sent({}, { "sec-fetch-site": from }), `${form.action} ${from}`).toBe(403);
    }
    expect(await statusOf(stranger.accessToken)).toBe(200);
  });

  it("session fixation → the session's id changes at each sign-in, and the old one ends [facts.oauth.session-fixation]", async () => {
    const { email } = await site.addPerson((await site.addWorkspace()).id);
    const [victim, attacker] = [new Browser(site.origin), new Browser(site.origin)];
    for (const browser of [victim, attacker]) browser.setCookie("session", "planted-by-an-attacker");
    await signedIn(victim, email);
    expect((await victim.open("/connections")).url.pathname).toBe("/connections");
    expect((await attacker.open("/connections")).url.pathname).toBe("/signin");
    const first = victim.cookie("session") ?? "";
    const { url } = await preparedRequest(site, { prompt: "login" });
    site.clock.advance(1_000);
    await openConsent(site.origin, { email, password: PASSWORD, browser: victim }, url);
    expect(victim.cookie("session")).not.toBe(first);
    attacker.setCookie("session", first);
    expect((await attacker.open("/connections")).url.pathname).toBe("/signin");
  });

  it("guessing of passwords → 429 by address and account, and by either where its person never signed in; nobody else is locked out [facts.oauth.sign-in-limit]", async () => {
    const { email } = await site.addPerson((await site.addWorkspace()).id);
    const from = (headers: Record<string, string>): Browser => Object.assign(new Browser(site.origin), { headers });
    const address = site.fromElsewhere();
    const guess = async (browser: Browser, who = email, password = "guess"): Promise<number> =>
      (await signedIn(browser, who, password)).status;
    const statuses = [];
    for (let count = 0; count < 11; count += 1) statuses.push(await guess(from(address)));
    expect(statuses).toEqual([...Array(10).fill(400), 429]);
    const refused = await signedIn(from(address), email);
    expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
    const owner = from(site.fromElsewhere());
    expect(await guess(owner, email, PASSWORD)).toBe(200);
    // At the guesser's address, in a browser that they signed in with.
    Object.assign(owner.headers, address);
    await owner.submit(await owner.open("/signout"), "Sign out");
    expect(await guess(owner, email, PASSWORD)).toBe(200);
    const neighbour = await site.addPerson((await site.addWorkspace()).id);
    expect(await guess(from(address), neighbour.email, PASSWORD)).toBe(200);

    const { core } = site.service;
    await setAttempts(core, "sign-in-address:address:2001:db8:0:7::/64", 300, 199);
    const host = (last: string) => from({ "x-forwarded-for": `2001:db8:0:7::${last}` });
    expect(await guess(host("1"), "one@example.com")).toBe(400);
    for (const last of ["1", "2"]) expect(await guess(host(last), `${last}@example.com`)).toBe(429);
  });

  it("registration of many clients, and of large ones → 429; 413 over 16 kB [facts.oauth.registration-limits]", async () => {
    const large = { redirect_uris: [REDIRECT_URI], client_name: "x".repeat(16_384) };
    expect((await postRegistration(site.origin, large)).status).toBe(413);
    const headers = { "content-type": "application/json", ...site.fromElsewhere() };
    const body = JSON.stringify({ redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: "none" });
    const statuses = [];
    for (let count = 0; count < 61; count += 1)
      statuses.push((await fetch(`${site.origin}/oauth/register`, { method: "POST", headers, body })).status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(60);
    expect(statuses.at(-1)).toBe(429);
  });

  it("metadata documents and keys of clients at addresses inside → port 443 of public names alone, no IP addresses, and no connection made otherwise [facts.oauth.ssrf]", async () => {
    const { fetched, looked } = site.internet;
    const unspeakable = [
      ...["http://plain.example.com/c", "https://port.example.com:8443/c", "https://127.0.0.1/c", "https://[::1]/c"],
      ...["https://2130706433/c", "https://0x7f.1/c", "https://localhost/c", "https://printer.local/c"],
      ...[
        "https://metadata.google.internal/c",
        "https://intranet/c",
        "https://user:secret@host.example.com/c",
        "file:///etc/passwd",
      ],
    ];
    const hidden = ["inside", "metadata", "six", "mapped"].map((name) => `https://${name}.example.com/client`);
    for (const clientId of [...unspeakable, ...hidden]) {
      const url = authorizationUrl(site.origin, { clientId }, pkce().challenge);
      expect((await new Browser(site.origin).open(url)).status, clientId).toBe(400);
    }
    expect(fetched).toEqual([]);
    expect(looked).toEqual(["inside", "metadata", "six", "mapped"].map((name) => `${name}.example.com`));
    const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
    for (const host of ["inside.example.com", "127.0.0.1"]) {
      const { clientId } = await register(site.origin, {
        token_endpoint_auth_method: "private_key_jwt",
        token_endpoint_auth_signing_alg: "ES256",
        jwks_uri: `https://${host}/jwks`,
      });
      const now = Math.floor(Date.now() / 1000);
      const said = { iss: clientId, sub: clientId, aud: site.origin, jti: randomUUID(), iat: now, exp: now + 60 };
      const assertion = await forger.sign({ ...said, typ: undefined }, { typ: "JWT" });
      const proof = { client_assertion: assertion, client_assertion_type: assertionType };
      const asked = { grant_type: "refresh_token", refresh_token: "x", ...proof };
      expect(await refusalOf(await postToken(site.origin, { clientId }, asked))).toMatch(/^invalid_client/);
    }
    expect(fetched).toEqual([]);
    const open = authorizationUrl(site.origin, { clientId: "https://public.example.com/c" }, pkce().challenge);
    await new Browser(site.origin).open(open);
    expect([...new Set(fetched)]).toEqual(["https://public.example.com/c"]);
  });

  it("an assistant that goes on after it was revoked → its next call is 401 and a sibling lives; its stream ends, its write rolls back [facts.oauth.revoke-in-flight] [service.1.revocation]", async () => {
    const stripe = createStripeSimulator({ secretKey: "sk_test_1" });
    await stripe.listen();
    const provider = await heldProvider(stripe.url);
    const working = await workingAssistant(site.service, provider);
    const { accessToken, browser } = working.assistant;
    provider.hold(1);
    const write = { name: "create_payment_links", arguments: working.links(2), progress: true };
    const stream = await callOverWire(site.service, accessToken, write);
    expect(stream.headers["content-type"]).toBe("text/event-stream");
    await expect.poll(() => provider.waiting).toBe(1);

    await browser.submit(await browser.open("/connections"), "Revoke");
    expect(await stream.text).not.toContain('"result"');
    expect(await statusOf(accessToken)).toBe(401);
    provider.release();
    await expect.poll(() => working.done()).toEqual(NOTHING_DONE);

    const [first, sibling] = [person, await site.sibling(person)];
    const list = await first.browser.open("/connections");
    const form = list.html.split("<form").find((text) => text.includes(`/connections/${first.connectionId}/revoke`));
    const token = /name="form_token" value="([^"]+)"/.exec(form ?? "")?.[1] ?? "";
    const revoke = `/connections/${first.connectionId}/revoke`;
    await first.browser.post(revoke, new URLSearchParams({ form_token: token }));
    expect(await statusOf(first.accessToken)).toBe(401);
    expect(await refusalOf(await refresh(site.origin, first.client, first.refreshToken))).toBe("invalid_grant");
    expect(await statusOf(sibling.accessToken)).toBe(200);
    await provider.close();
    await stripe.close();
  });

  it("DNS rebinding; a foreign Origin, null too → 421; 403 [facts.mcp.foreign-hosts]", async () => {
    const { accessToken } = await site.connect();
    const host = new URL(site.origin).host;
    const status = (headers: Record<string, string>): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const sent = request(`${site.service.via}/mcp`, {
          method: "POST",
          headers: { authorization: `Bearer ${accessToken}`, ...headers },
        });
        sent.once("response", (response) => resolve(response.resume().statusCode)).once("error", reject);
        sent.end("{}");
      });
    for (const name of ["evil.example.com", `${host}.evil.example.com`, "127.0.0.1.nip.io"])
      expect(await status({ host: name }), name).toBe(421);
    for (const origin of [EVIL, "null", `http://${host}.evil.example.com`])
      expect(await status({ host, origin }), origin).toBe(403);
    expect(await status({ host })).toBe(406);
  });
});

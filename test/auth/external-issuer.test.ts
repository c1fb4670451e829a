import { generateKeyPairSync } from "node:crypto";
import { exportSPKI, importJWK, SignJWT, UnsecuredJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { unlinkMember } from "../../auth/identities/unlink-member.ts";
import { addMember } from "../../auth/members/add-member.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { callerOf, callMcp } from "../support/oauth-client.ts";
import { AUDIENCE, issuerConfig, startResource } from "../support/resource.ts";
import { A_STORE } from "../support/thorough.ts";

import {
  call,
  claimsFor,
  expectInvalid,
  expectRevoked,
  issuer,
  type Place,
  place,
  READ,
  useResource,
} from "./external-issuer-fixtures.ts";

describe.each(A_STORE)("who an external issuer's token speaks for", ({ open }) => {
  const site = useResource(open);

  it("is nobody while no member is linked: 403, and no failed authentication [facts.oauth.external-link]", async () => {
    const here = await place(site.core, { linked: false });
    for (const claims of [claimsFor(here), claimsFor(here, { email: here.email, email_verified: true })]) {
      const answer = await site.send(claims);
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ error: { code: "permission_denied" } });
      expect(answer.headers.get("ratelimit-remaining")).toBe("20");
    }
  });

  it("is nobody when the person is linked in two workspaces and nothing says which [facts.oauth.external-tenant]", async () => {
    const here = await place(site.core);
    const there = await place(site.core, { linked: false });
    await site.link(there, there.email, here.subject);
    const answer = await site.ask(here);
    expect(answer.status).toBe(403);

    const config = issuerConfig(issuer.url, { tenantClaim: "https://example.com/workspace" });
    const choosing = await startResource(site.core, config);
    for (const { tenantId } of [here, there]) {
      const token = await issuer.sign(claimsFor(here, { "https://example.com/workspace": tenantId }));
      expect((await callerOf(await call(choosing.url, token))).actor.tenantId).toBe(tenantId);
    }
    const foreign = await place(site.core);
    const elsewhere = await issuer.sign(claimsFor(here, { "https://example.com/workspace": foreign.tenantId }));
    expect((await call(choosing.url, elsewhere)).status).toBe(403);
    await expectInvalid(await call(choosing.url, await issuer.sign(claimsFor(here))));
    await choosing.close();
  });

  it("without the scope to read is told which to ask for [facts.oauth.external-scope]", async () => {
    const answer = await site.ask(await place(site.core), { scope: "openid" });
    expect(answer.status).toBe(403);
    expect(answer.headers.get("www-authenticate")).toMatch(
      /^Bearer error="insufficient_scope", scope="receivables:read", resource_metadata="/,
    );
  });

  it("is told apart by session where the issuer's tokens have one [facts.oauth.external-connection]", async () => {
    const here = await place(site.core);
    const perSession = await startResource(site.core, issuerConfig(issuer.url, { sessionClaim: "sid" }));
    const keys = [];
    for (const sid of ["one", "two", "one"])
      keys.push((await callerOf(await call(perSession.url, await issuer.sign(claimsFor(here, { sid }))))).key);
    expect(keys[0]).toBe(keys[2]);
    expect(keys[0]).not.toBe(keys[1]);
    await expectInvalid(await call(perSession.url, await issuer.sign(claimsFor(here))));
    await perSession.close();
  });

  it("can be linked by an email the issuer verified, where that is switched on [facts.oauth.external-email]", async () => {
    const byEmail = await startResource(site.core, issuerConfig(issuer.url, { linkByEmail: true }));
    const statusOf = async (here: Pick<Place, "subject">, change: object): Promise<number> =>
      (await call(byEmail.url, await issuer.sign(claimsFor(here, change)))).status;
    const here = await place(site.core, { linked: false });
    const verified = { email: here.email.toUpperCase(), email_verified: true };
    expect(await statusOf(here, { email: here.email })).toBe(403);
    expect(await statusOf(here, { ...verified, email_verified: "true" })).toBe(403);
    expect(await statusOf(here, { email: `nobody-${here.email}`, email_verified: true })).toBe(403);
    expect(await Promise.all([1, 2, 3].map(() => statusOf(here, verified)))).toEqual([200, 200, 200]);
    // An email that passed to somebody else, whom the issuer calls by another name.
    expect(await statusOf({ subject: "successor" }, verified)).toBe(403);
    // A link that was taken back is not made again by an email.
    await operate(site.core, here.tenantId, unlinkMember, { issuer: issuer.url, subject: here.subject });
    await expectRevoked(await call(byEmail.url, await issuer.sign(claimsFor(here, verified))));
    // Somebody with two workspaces has to be linked by hand.
    const two = await place(site.core, { linked: false });
    const other = await place(site.core, { linked: false });
    await operate(site.core, other.tenantId, addMember, { email: two.email, role: "member" });
    expect(await statusOf(two, { email: two.email, email_verified: true })).toBe(403);
    await byEmail.close();
  });
});

describe.each(A_STORE)("threats to an external issuer's tokens", ({ open }) => {
  const site = useResource(open);
  let here: Place;
  let claims: Record<string, unknown>;

  beforeAll(async () => {
    here = await place(site.core);
    claims = claimsFor(here);
  });

  const without = (name: string): object => Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));
  const now = () => Math.floor(site.clock.now().getTime() / 1_000);

  it("the forger's tools make a good token when nothing is wrong with it", async () => {
    expect((await site.send(claims)).status).toBe(200);
  });

  it("algorithm none, a secret made of the public key, another key [facts.oauth.external-token]", async () => {
    await expectInvalid(await call(site.url, new UnsecuredJWT(claims).encode()));
    const { keys } = z
      .object({ keys: z.array(z.looseObject({ kid: z.string(), x: z.string() })) })
      .parse(await (await fetch(`${issuer.url}/jwks`)).json());
    const [jwk] = keys;
    if (jwk === undefined) throw new Error("no key");
    const publicKey = await importJWK({ ...jwk, kty: "EC" }, "ES256", { extractable: true });
    if (publicKey instanceof Uint8Array) throw new Error("a secret");
    for (const secret of [await exportSPKI(publicKey), JSON.stringify(jwk), jwk.x]) {
      const header = { alg: "HS256", typ: "at+jwt", kid: jwk.kid };
      const forged = new SignJWT(claims).setProtectedHeader(header).sign(new TextEncoder().encode(secret));
      await expectInvalid(await call(site.url, await forged));
    }
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    for (const kid of [jwk.kid, "unknown"]) {
      const header = { alg: "ES256", typ: "at+jwt", kid };
      await expectInvalid(await call(site.url, await new SignJWT(claims).setProtectedHeader(header).sign(privateKey)));
    }
  });

  it("keys and demands in the header are not listened to [facts.oauth.external-token]", async () => {
    for (const header of [{ jku: `${issuer.url}/theirs` }, { x5u: `${issuer.url}/theirs` }, { jwk: { kty: "EC" } }])
      await expectInvalid(await site.send(claims, header));
    expect(await issuer.count("/theirs")).toBe(0);
    const critical = JSON.stringify({ alg: "ES256", typ: "at+jwt", kid: "issuer-key", crit: ["exp"], exp: 1 });
    const [, payload = "", signature = ""] = (await issuer.sign(claims)).split(".");
    const token = `${Buffer.from(critical).toString("base64url")}.${payload}.${signature}`;
    await expectInvalid(await call(site.url, token));
  });

  it.each([
    ["another audience", () => ({ ...claims, aud: "https://other.example.com/mcp" })],
    ["an audience that only begins like ours", () => ({ ...claims, aud: `${AUDIENCE}/x` })],
    ["an audience that ours begins with", () => ({ ...claims, aud: "https://receivables.example.com" })],
    ["another issuer", () => ({ ...claims, iss: "https://other.example.com" })],
    ["the issuer with a slash", () => ({ ...claims, iss: `${issuer.url}/` })],
    ["a time to come", () => ({ ...claims, nbf: now() + 120 })],
    ["a DPoP-bound token as Bearer", () => ({ ...claims, cnf: { jkt: "x".repeat(43) } })],
    ["a certificate-bound token", () => ({ ...claims, cnf: { "x5t#S256": "x" } })],
    ["an empty binding", () => ({ ...claims, cnf: {} })],
    ["no expiry", () => without("exp")],
    ["no subject", () => without("sub")],
    ["no client", () => without("client_id")],
    ["no id", () => without("jti")],
    ["no time of issue", () => without("iat")],
    ["a subject that is no text", () => ({ ...claims, sub: 1 })],
    ["a subject with a control character", () => ({ ...claims, sub: `${here.subject}\u0000` })],
    ["a subject that no store holds as it is", () => ({ ...claims, sub: "\ud800" })],
  ])("%s is refused [facts.oauth.external-token]", async (_name, payload) => {
    await expectInvalid(await site.send(payload()));
  });

  it("an ID token is no access token [facts.oauth.external-token]", async () => {
    for (const typ of ["JWT", undefined, "logout+jwt"]) await expectInvalid(await site.send(claims, { typ }));
  });

  it("an expired token is no failed authentication, but a forged one that says so is [facts.oauth.external-token]", async () => {
    const expired = { ...claims, exp: now() - 60 };
    const answer = await site.send(expired);
    expect(answer.headers.get("ratelimit-remaining")).toBe("20");
    await expectInvalid(answer);
    const [header = "", payload = ""] = (await issuer.sign(expired)).split(".");
    const forged = await call(site.url, `${header}.${payload}.${"A".repeat(86)}`);
    expect(forged.headers.get("ratelimit-remaining")).toBe("19");
    await expectInvalid(forged);
  });

  it("a storm of unknown keys reads the issuer's once [facts.oauth.external-keys]", async () => {
    const before = await issuer.count("/jwks");
    const tokens = await Promise.all([...Array(12).keys()].map((n) => issuer.sign(claims, { kid: `unknown-${n}` })));
    for (const token of tokens) await expectInvalid(await call(site.url, token));
    expect((await issuer.count("/jwks")) - before).toBe(0);
  });

  it.each([["/jwks"], ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"]])(
    "%s that fails lets nobody in: 503, and no storm [facts.oauth.external-unavailable] [facts.oauth.keys-unreachable]",
    async (path, ...others) => {
      for (const one of [path, ...others]) await issuer.mode(one, "500");
      const fresh = await startResource(site.core, issuerConfig(issuer.url));
      const before = await issuer.count(path);
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const answer = await call(fresh.url, await issuer.sign(claims));
        expect(answer.status).toBe(503);
        expect(answer.headers.get("retry-after")).toBe("5");
        expect(answer.headers.get("ratelimit-remaining")).toBe("20");
      }
      expect((await issuer.count(path)) - before).toBe(1);
      for (const one of [path, ...others]) await issuer.mode(one, "ok");
      await fresh.close();
    },
  );
});

describe.each(A_STORE)("the relaxed profile", ({ open }) => {
  const site = useResource(open, () => ({ profile: "relaxed", clientIdClaim: "azp" }));

  it("takes tokens of before RFC 9068, and still checks what matters [facts.oauth.external-relaxed]", async () => {
    const here = await place(site.core);
    const { client_id: _client, jti: _id, scope: _scope, ...rest } = claimsFor(here);
    const claims = { ...rest, azp: "assistant", scp: [READ, "tasks:write"] };
    for (const typ of ["JWT", undefined, "at+jwt"]) {
      const caller = await callerOf(await site.send(claims, { typ }));
      expect(caller.actor.scopes).toEqual([READ, "tasks:write"]);
    }
    const now = Math.floor(site.clock.now().getTime() / 1_000);
    for (const wrong of [
      { aud: "https://other.example.com" },
      { iss: `${issuer.url}/` },
      { nbf: now + 120 },
      { cnf: { jkt: "x" } },
      { azp: undefined },
      { sub: undefined },
      { exp: undefined },
      { iat: undefined },
    ])
      await expectInvalid(await site.send({ ...claims, ...wrong }, { typ: "JWT" }));
    for (const typ of ["logout+jwt", "dpop+jwt", "id_token+jwt"]) await expectInvalid(await site.send(claims, { typ }));
    await expectInvalid(await call(site.url, new UnsecuredJWT(claims).encode()));
    const expired = await site.send({ ...claims, exp: now - 60 }, { typ: "JWT" });
    expect(expired.headers.get("ratelimit-remaining")).toBe("20");
    await expectInvalid(expired);
  });
});

describe.each(A_STORE)("opaque tokens", ({ open }) => {
  const credentials = { clientId: "resource", clientSecret: "secret of the resource" };
  const site = useResource(open, () => ({ introspection: credentials }));
  const make = (here: Place, change: object = {}) =>
    issuer.opaque({ sub: here.subject, client_id: "assistant", aud: AUDIENCE, scope: READ, ...change });

  beforeAll(async () => {
    const redirect_uris = ["https://client.example.com/callback"];
    await issuer.client({ client_id: "assistant", redirect_uris, token_endpoint_auth_method: "none" });
    const { clientId: client_id, clientSecret: client_secret } = credentials;
    await issuer.client({ client_id, client_secret, redirect_uris: [], response_types: [], grant_types: [] });
  });

  it("are asked about at every call, and end when the issuer ends them [facts.oauth.external-introspection]", async () => {
    const here = await place(site.core);
    const token = await make(here);
    const before = await issuer.count("/token/introspection");
    expect((await callerOf(await call(site.url, token))).actor.tenantId).toBe(here.tenantId);
    expect((await call(site.url, token)).status).toBe(200);
    expect((await issuer.count("/token/introspection")) - before).toBe(2);
    await issuer.end(token);
    const ended = await call(site.url, token);
    expect(ended.headers.get("ratelimit-remaining")).toBe("20");
    await expectInvalid(ended);
    const unknown = await call(site.url, "never-issued");
    expect(unknown.headers.get("ratelimit-remaining")).toBe("19");
    await expectInvalid(unknown);
  });

  it("of another audience, issuer or holder are refused [facts.oauth.external-introspection]", async () => {
    const here = await place(site.core);
    await expectInvalid(await call(site.url, await make(here, { aud: "https://other.example.com/mcp" })));
    await expectInvalid(await call(site.url, await make(here, { aud: `${AUDIENCE}/x` })));
    await expectInvalid(await call(site.url, await make(here, { jkt: "x".repeat(43) })));
  });

  it("let nobody in while the issuer does not answer [facts.oauth.external-unavailable]", async () => {
    const token = await make(await place(site.core));
    await issuer.mode("/token/introspection", "500");
    expect((await call(site.url, token)).status).toBe(503);
    await issuer.mode("/token/introspection", "ok");
    expect((await call(site.url, token)).status).toBe(200);
  });

  it("are served at an address where others guessed too often, and guesses are 429 [facts.oauth.external-introspection]", async () => {
    const headers = { "x-forwarded-for": "203.0.113.200" };
    const guess = (n: number) => callMcp(site.url, `guess-${n}`, { headers });
    for (let n = 0; n < 20; n += 1) expect((await guess(n)).status).toBe(401);
    expect((await guess(21)).status).toBe(429);
    const here = await place(site.core);
    expect((await callMcp(site.url, await make(here), { headers })).status).toBe(200);
  });
});

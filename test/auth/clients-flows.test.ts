import { generateKeyPairSync, randomUUID } from "node:crypto";
import { exportJWK } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { addMember } from "../../auth/members/add-member.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { Browser } from "../support/browser.ts";
import {
  askMcp,
  authorizationUrl,
  openConsent,
  pkce,
  postRegistration,
  postToken,
  type RegisteredClient,
  readTokens,
  register,
} from "../support/oauth-client.ts";
import { peopleOf } from "../support/people.ts";
import { type RunningService, startService } from "../support/service.ts";
import { A_KIND } from "../support/stores.ts";
import { A_STORE } from "../support/thorough.ts";
import { fakeInternet } from "../support/threats/internet.ts";
import { assertedBy } from "./client-assertions.ts";
import { type ClientFixture, clientFixtures } from "./clients-fixtures.ts";

const PERSON = { email: "cfo@globex.example", password: "correct horse battery staple" };
const FIXTURES = clientFixtures();

const Registered = z.looseObject({ client_id: z.string(), client_secret: z.string().optional() });
const Tools = z.looseObject({ result: z.looseObject({ tools: z.array(z.looseObject({ name: z.string() })) }) });

/** The key of whoever signs assertions, and the internet on which the fixtures publish. */
const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
const published: Record<string, object> = {};

const READ = "receivables:read";

let service: RunningService;

beforeAll(async () => {
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: "key-1", alg: "RS256", use: "sig" };
  for (const { published: document } of FIXTURES) {
    if (document === undefined) continue;
    published[document.client_id] = document;
    if (typeof document.jwks_uri === "string") published[document.jwks_uri] = { keys: [jwk] };
  }
  service = await startService(A_KIND, { internet: fakeInternet(published).parts });
  const { id } = await peopleOf(service.core).addWorkspace({ name: "Globex" });
  await operate(service.core, id, addMember, { ...PERSON, role: "admin" });
});
afterAll(() => service?.close());

/** Parameters of a fixture with the service's own addresses in them. */
const filledIn = (params: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      value.replace("{mcp_url}", service.mcpUrl).replace("{origin}", service.url),
    ]),
  );

/** The client as the authorization server knows it afterwards. */
async function introduce({ registration, published: document }: ClientFixture) {
  if (document !== undefined) return { clientId: document.client_id };
  const answer = await postRegistration(service.url, registration ?? {});
  expect(answer.status).toBe(201);
  const { client_id: clientId, client_secret: clientSecret } = Registered.parse(await answer.json());
  return { clientId, clientSecret };
}

/** Sends a token request with the client's own kind of proof. */
async function tokenAs(
  fixture: ClientFixture,
  { clientId, clientSecret = "" }: Awaited<ReturnType<typeof introduce>>,
  params: Record<string, string>,
): Promise<Response> {
  const headers = new Headers(fixture.origin === undefined ? {} : { origin: fixture.origin });
  const body = new URLSearchParams(filledIn(params));
  if (fixture.authentication === "client_secret_basic") {
    const pair = [clientId, clientSecret].map(encodeURIComponent).join(":");
    headers.set("authorization", `Basic ${Buffer.from(pair).toString("base64")}`);
  } else body.set("client_id", clientId);
  if (fixture.authentication === "client_secret_post") body.set("client_secret", clientSecret);
  if (fixture.authentication === "private_key_jwt") {
    const { audience = "" } = filledIn({ audience: fixture.assertion_audience ?? "" });
    const key = { privateKey: keys.privateKey, alg: "RS256", kid: "key-1" };
    for (const [name, value] of Object.entries(await assertedBy(key, clientId, audience))) body.set(name, value);
  }
  const answer = await fetch(`${service.url}/oauth/token`, { method: "POST", headers, body });
  if (fixture.origin !== undefined)
    expect(["*", fixture.origin]).toContain(answer.headers.get("access-control-allow-origin"));
  return answer;
}

const post = ({ revision }: ClientFixture, accessToken: string, method: string, params?: object): Promise<Response> =>
  askMcp(service.mcpUrl, accessToken, method, params, revision);

/** The names of the tools that a token's holder sees. */
async function listTools(fixture: ClientFixture, accessToken: string): Promise<string[]> {
  const answer = await post(fixture, accessToken, "tools/list");
  expect(answer.status).toBe(200);
  return Tools.parse(await answer.json()).result.tools.map(({ name }) => name);
}

/** One authorization by a client's person, on a page they have been shown, to the tokens it ends in. */
async function authorize(fixture: ClientFixture, client: Introduced, browser: Browser, scope: string | null) {
  const { verifier, challenge } = pkce();
  const { redirect_uri: redirectUri } = fixture;
  const asked = { resource: null, redirect_uri: redirectUri, ...filledIn(fixture.authorization) };
  const url = authorizationUrl(service.url, client, challenge, scope === null ? asked : { ...asked, scope });
  const consent = await openConsent(service.url, { ...PERSON, browser }, url);
  async function allow() {
    const { left } = await browser.submit(consent, "Allow");
    expect(left?.href.split("?")[0]).toBe(redirectUri);
    expect(Object.fromEntries(left?.searchParams ?? [])).toEqual({
      code: expect.any(String),
      state: "state-of-the-test",
      iss: service.url,
    });
    const code = left?.searchParams.get("code") ?? "";
    const redemption = { grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: redirectUri };
    return readTokens(await tokenAs(fixture, client, { ...redemption, ...fixture.token }));
  }
  return { consent, allow };
}

type Introduced = Awaited<ReturnType<typeof introduce>>;

const WRITES = ["payment_links:write", "tasks:write", "receipts:push"];

/** Refreshes as the client is seen to. */
async function renew(fixture: ClientFixture, client: Introduced, refreshToken = "") {
  const sent = { grant_type: "refresh_token", refresh_token: refreshToken, ...fixture.refresh };
  return readTokens(await tokenAs(fixture, client, sent));
}

describe("real clients, from their introduction to a refreshed token", () => {
  it.each(FIXTURES.map((fixture) => [fixture.client, fixture] as const))(
    "%s connects as a reader, and by a step-up to write [facts.oauth.client-flows] [completions.11.unticked] [completions.11.step-up]",
    async (_client, fixture) => {
      const client = await introduce(fixture);
      const browser = new Browser(service.url);
      const first = await authorize(fixture, client, browser, null);
      const { client_name: name } = fixture.registration ?? fixture.published ?? { client_name: "" };
      expect(first.consent.heading).toBe(`Connect ${name} to Globex?`);
      expect(first.consent.text).toContain(fixture.redirect_uri);
      expect(Object.values(first.consent.boxes)).toEqual([false, false, false]);
      if (fixture.published !== undefined)
        expect(first.consent.text).toContain(`Published at ${new URL(fixture.published.client_id).host}`);
      const tokens = await first.allow();
      expect(tokens).toMatchObject({ token_type: "Bearer", refresh_token: expect.any(String), scope: READ });
      const seen = await listTools(fixture, tokens.access_token);
      expect(seen).toContain("summarize_aging");
      expect(seen).not.toContain("dismiss_task");

      const refreshed = await renew(fixture, client, tokens.refresh_token);
      expect(refreshed.access_token).not.toBe(tokens.access_token);
      expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
      expect(await listTools(fixture, refreshed.access_token)).toEqual(seen);

      const refused = await post(fixture, refreshed.access_token, "tools/call", {
        name: "dismiss_task",
        arguments: { task_id: randomUUID() },
      });
      expect(refused.status).toBe(403);
      const scope = /scope="([^"]+)"/.exec(refused.headers.get("www-authenticate") ?? "")?.[1] ?? "";
      expect(scope).toBe(`${READ} tasks:write`);
      const second = await authorize(fixture, client, browser, scope);
      expect(second.consent.heading).toBe(`Let ${name} do more in Globex?`);
      const ticked = Object.entries(second.consent.boxes).map(([box, isTicked]) => [box.split("@")[0], isTicked]);
      expect(ticked).toEqual(WRITES.map((write) => [write, write === "tasks:write"]));
      const wider = await renew(fixture, client, (await second.allow()).refresh_token);
      expect(wider.scope).toBe(scope);
      expect(await listTools(fixture, wider.access_token)).toEqual([...seen, "dismiss_task"]);
      await browser.submit(await browser.open("/connections"), "Revoke");
    },
  );
});

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const jwk = { ...publicKey.export({ format: "jwk" }), kid: "a" };
describe.each(A_STORE)("keys that clients publish", ({ open }) => {
  const looked: string[] = [];
  const fetched: string[] = [];
  const site = useAuthApp(open, {
    internet: {
      async fetch(url) {
        fetched.push(String(url));
        if (String(url).includes("keys.")) return Response.json({ keys: [{ ...jwk, x5c: ["A".repeat(20_000)] }] });
        if (String(url).includes("long")) return new Response(" ".repeat(70_000));
        return new Response("", { status: 503 });
      },
      lookup(hostname) {
        looked.push(hostname);
        if (hostname.endsWith("dead.example.com")) return new Promise(() => {});
        return Promise.resolve([{ address: "93.184.216.34", family: 4 }]);
      },
    },
    trustProxy: true,
  });
  const withKeysAt = (jwksUri: string): Promise<RegisteredClient> =>
    register(site.app.origin, {
      token_endpoint_auth_method: "private_key_jwt",
      token_endpoint_auth_signing_alg: "ES256",
      jwks_uri: jwksUri,
    });

  async function askForToken(client: RegisteredClient): Promise<number> {
    const proof = await assertedBy({ privateKey, alg: "ES256", kid: "a" }, client.clientId, site.app.origin);
    return (await postToken(site.app.origin, client, { grant_type: "refresh_token", refresh_token: "x", ...proof }))
      .status;
  }

  it("[contract.edges.clients.failed-fetches] 25 that hang hold up no other, and failures are not fetched again", async () => {
    const dead = await Promise.all(
      Array.from({ length: 25 }, (_, index) => withKeysAt(`https://n${index}.dead.example.com/jwks`)),
    );
    const honest = await withKeysAt("https://honest.example.com/jwks");
    const hanging = dead.map(askForToken);
    let ended = 0;
    for (const status of hanging) void status.then(() => (ended += 1));
    expect(await askForToken(honest)).toBe(503);
    expect(fetched).toEqual(["https://honest.example.com/jwks"]);
    expect(ended).toBe(0);
    expect(new Set(await Promise.all(hanging))).toEqual(new Set([503]));
    const before = looked.length;
    for (const client of dead) await askForToken(client);
    for (let again = 0; again < 40; again += 1) await askForToken(honest);
    expect(looked).toHaveLength(before);
    expect(fetched).toHaveLength(1);
    // Nor is a body that is too long.
    const long = await withKeysAt("https://long.example.com/jwks");
    for (let again = 0; again < 3; again += 1) expect(await askForToken(long)).toBe(503);
    expect(fetched).toHaveLength(2);
    // A stranger who takes honest keys for a document, which they are too long for, does not have them refused.
    const keyed = await withKeysAt("https://keys.example.com/jwks");
    const asDocument = new URLSearchParams({ client_id: "https://keys.example.com/jwks", response_type: "code" });
    await fetch(`${site.app.origin}/oauth/authorize?${asDocument}`, { redirect: "manual" });
    expect(await askForToken(keyed)).toBe(400);
    fetched.length = 2;
    // One address's share is used up by now; what it asks for beyond is not fetched, whatever the URL.
    const more = await Promise.all(
      Array.from({ length: 10 }, (_, index) => withKeysAt(`https://more${index}.example.com/jwks`)),
    );
    for (const client of more) await askForToken(client);
    expect(fetched.length).toBeLessThanOrEqual(5);
  });
});

import { generateKeyPairSync, randomUUID } from "node:crypto";
import { exportJWK } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { addMember } from "../../auth/members/add-member.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { Browser } from "../support/browser.ts";
import { askMcp, authorizationUrl, openConsent, pkce, postRegistration, readTokens } from "../support/oauth-client.ts";
import { peopleOf } from "../support/people.ts";
import { type RunningService, startService } from "../support/service.ts";
import { A_KIND } from "../support/stores.ts";
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
async function postToken(
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
    return readTokens(await postToken(fixture, client, { ...redemption, ...fixture.token }));
  }
  return { consent, allow };
}

type Introduced = Awaited<ReturnType<typeof introduce>>;

const WRITES = ["payment_links:write", "tasks:write", "receipts:push"];

/** Refreshes as the client is seen to. */
async function renew(fixture: ClientFixture, client: Introduced, refreshToken = "") {
  const sent = { grant_type: "refresh_token", refresh_token: refreshToken, ...fixture.refresh };
  return readTokens(await postToken(fixture, client, sent));
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

import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { authorizationParams, tokenParams } from "../../auth/authorization-server/request-params.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { Browser, type BrowserPage } from "../support/browser.ts";
import { authorizationUrl, pkce, type RegisteredClient, register } from "../support/oauth-client.ts";
import { A_STORE } from "../support/thorough.ts";

const ADD_AGAIN = "Remove this connector in the assistant, add it again, and try once more.";
const UPDATE = "Update the assistant; if that does not help, give its makers the error code below.";
const UNASKED = "without asking you, which is not possible here. Connect it again from its settings.";

/** A request that cannot go back to its client: its parameters, then the code, and what the page says to do. */
type Case = readonly [what: string, params: Record<string, string | null>, code: string, says: string];

const CASES: readonly Case[] = [
  ["no client", { client_id: null }, "invalid_request", UPDATE],
  ["an unknown client", { client_id: "nobody" }, "invalid_client", `is not known. ${ADD_AGAIN}`],
  ["an unknown address", { redirect_uri: "https://evil.example/" }, "invalid_redirect_uri", ADD_AGAIN],
  ["no URL as address", { redirect_uri: "nowhere" }, "invalid_redirect_uri", ADD_AGAIN],
  ["another service", { resource: "https://evil.example/mcp" }, "invalid_target", "Check the address of the server"],
  ["no response type", { response_type: null }, "invalid_request", UPDATE],
  ["a token at once", { response_type: "token" }, "unsupported_response_type", UPDATE],
  ["no PKCE", { code_challenge: null }, "invalid_request", UPDATE],
  ["plain PKCE", { code_challenge_method: "plain" }, "invalid_request", UPDATE],
  ["no consent", { prompt: "none" }, "consent_required", UNASKED],
  ["none and more", { prompt: "none login" }, "invalid_request", UPDATE],
  ["a request object", { request: "a.b.c" }, "request_not_supported", UPDATE],
  ["a NUL character as state", { state: "\0" }, "invalid_request", UPDATE],
  ["a NUL character in the email", { login_hint: "a\0@example.com" }, "invalid_request", UPDATE],
  ["its address", { request_uri: "https://client.example/r" }, "request_uri_not_supported", UPDATE],
  ["a registration", { registration: "{}" }, "registration_not_supported", UPDATE],
];

describe.each(A_STORE)("an authorization request that cannot go back to its client, on $name", ({ open }) => {
  const site = useAuthApp(open);

  const url = (client: RegisteredClient, params: Record<string, string | null> = {}): string =>
    authorizationUrl(site.app.origin, client, pkce().challenge, params);
  const shown = ({ status, left, text }: BrowserPage) => ({ status, left, code: /Error code: (\w+)/.exec(text)?.[1] });

  it.each(CASES)(
    "with %s says what is wrong and what to do [facts.oauth.error-page]",
    async (_, params, code, says) => {
      const browser = new Browser(site.app.origin);
      const page = await browser.open(url(await register(site.app.origin), params));
      expect(shown(page)).toEqual({ status: 400, left: null, code });
      expect(page.text).toContain(says);
      expect(page.text).not.toContain("Start again from the assistant");
    },
  );

  it("that leaves open which address, or gives it twice, is refused [facts.oauth.error-page]", async () => {
    const browser = new Browser(site.app.origin);
    const several = await register(site.app.origin, {
      redirect_uris: ["http://127.0.0.1:9/callback", "http://127.0.0.1:9/other"],
    });
    const unsaid = await browser.open(url(several, { redirect_uri: null }));
    expect(shown(unsaid)).toEqual({ status: 400, left: null, code: "invalid_request" });
    const twice = await browser.open(`${url(several)}&redirect_uri=https%3A%2F%2Fevil.example`);
    expect(shown(twice)).toEqual({ status: 400, left: null, code: "invalid_request" });
    for (const page of [unsaid, twice]) expect(page.text).toContain(UPDATE);
  });

  it("that is resumed without having begun in this browser has expired [facts.oauth.error-page]", async () => {
    const page = await new Browser(site.app.origin).open(`/oauth/authorize/${"A".repeat(21)}`);
    expect(shown(page)).toEqual({ status: 400, left: null, code: "invalid_request" });
    expect(page.text).toContain("has expired, was already used, or began in another browser.");
  });

  it("that we fail ourselves is a 500 [facts.oauth.error-page]", async () => {
    const client = await register(site.app.origin, { token_endpoint_auth_method: "client_secret_basic" });
    await site.app.core.store.directory((tx) =>
      tx
        .updateTable("oidc_artifacts")
        .set({ payload: sql`payload || '{"client_secret": "sealed by another key"}'` })
        .where("model", "=", "Client")
        .execute(),
    );
    const page = await new Browser(site.app.origin).open(url(client));
    expect(shown(page)).toEqual({ status: 500, left: null, code: "server_error" });
    expect(page.text).toContain("Something went wrong on our side. Try again in a moment.");
  });
});

const RESOURCE = "https://receivables.example.com/mcp";
const ALL = "receivables:read payment_links:write tasks:write receipts:push";

describe("an authorization request, put right", () => {
  const given = (query: string): URLSearchParams => authorizationParams(new URLSearchParams(query), RESOURCE);

  it.each([
    ["", "receivables:read"],
    ["scope=openid+profile", "receivables:read"],
    ["scope=", "receivables:read"],
    ["scope=tasks:write+offline_access", "receivables:read tasks:write"],
    ["scope=receipts:push+tasks:write", "receivables:read tasks:write receipts:push"],
    ["scope=receivables:read+admin", "receivables:read"],
  ])("the scopes of %j are kept beside; the person may grant any", (query, scope) => {
    expect(given(query).get("asked_scope")).toBe(scope);
    expect(given(query).get("scope")).toBe(ALL);
    expect(given(`${query}&asked_scope=${ALL}`).getAll("asked_scope")).toEqual([scope]);
  });

  it.each([
    ["", [RESOURCE]],
    [RESOURCE, [RESOURCE]],
    [`${RESOURCE}/`, [RESOURCE]],
    ["https://receivables.example.com", [RESOURCE]],
    ["https://RECEIVABLES.example.com:443/", [RESOURCE]],
    ["https://receivables.example.com/mcp?x=1", ["https://receivables.example.com/mcp?x=1"]],
    ["https://receivables.example.com/mcpx", ["https://receivables.example.com/mcpx"]],
    ["http://receivables.example.com/mcp", ["http://receivables.example.com/mcp"]],
    ["nonsense", ["nonsense"]],
  ])("the resource %j", (resource, expected) => {
    const query = resource === "" ? "" : `resource=${encodeURIComponent(resource)}`;
    expect(given(query).getAll("resource")).toEqual(expected);
  });

  it("two spellings of ours are one, a foreign one beside it stays", () => {
    expect(given(`resource=${RESOURCE}&resource=${RESOURCE}/`).getAll("resource")).toEqual([RESOURCE]);
    expect(given(`resource=${RESOURCE}&resource=https://x.example.com/`).getAll("resource")).toHaveLength(2);
  });

  it.each([
    ["prompt=select_account", "login"],
    ["prompt=consent+login", "consent login"],
    ["prompt=create", null],
    ["prompt=none", "none"],
    ["", null],
  ])("the prompt of %j", (query, prompt) => {
    expect(given(query).get("prompt")).toBe(prompt);
  });

  it("what is OpenID Connect's alone is dropped, what is given twice stays twice", () => {
    const params = given("nonce=1&max_age=0&claims={}&response_mode=form_post&state=a&state=b&client_id=c");
    expect([...params.keys()].sort()).toEqual(["asked_scope", "client_id", "resource", "scope", "state", "state"]);
  });
});

describe("a token request, put right", () => {
  const given = (query: string): URLSearchParams => tokenParams(new URLSearchParams(query), RESOURCE);

  it("the resource is spelled as ours, and not made up", () => {
    expect(given(`resource=${RESOURCE}/`).get("resource")).toBe(RESOURCE);
    expect(given("").has("resource")).toBe(false);
  });
});

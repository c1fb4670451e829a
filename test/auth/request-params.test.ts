import { describe, expect, it } from "vitest";
import { authorizationParams, tokenParams } from "../../auth/authorization-server/request-params.ts";

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

  it.each(["offline_access", "openid", "admin+openid", ""])(
    "a refresh for %j alone names none of ours, and so is for everything [completions.11.unknown-scopes]",
    (scope) => {
      expect(given(`scope=${scope}`).has("scope")).toBe(false);
    },
  );

  it.each([
    ["payment_links:write", "receivables:read payment_links:write"],
    ["payment_links:write+offline_access", "receivables:read payment_links:write"],
    ["tasks:write+receivables:read", "receivables:read tasks:write"],
    ["tasks:write+admin", "receivables:read tasks:write"],
  ])("a refresh for %j is one for %j: reading is always needed [completions.2.read-needed]", (scope, expected) => {
    expect(given(`scope=${scope}`).get("scope")).toBe(expected);
  });

  it("the resource is spelled as ours, and not made up", () => {
    expect(given(`resource=${RESOURCE}/`).get("resource")).toBe(RESOURCE);
    expect(given("").has("resource")).toBe(false);
  });
});

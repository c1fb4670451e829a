import { describe, expect, it } from "vitest";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { authorizationUrl, openConsent, pkce, postRegistration, REDIRECT_URI } from "../support/oauth-client.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("clients that register themselves", ({ open }) => {
  const site = useAuthApp(open);

  it.each([
    [
      "one that means OpenID Connect",
      {
        redirect_uris: ["https://client.example.com/cb"],
        scope: "openid profile email",
        id_token_signed_response_alg: "RS256",
        default_max_age: 60,
        require_auth_time: true,
        subject_type: "pairwise",
        sector_identifier_uri: "http://169.254.169.254/",
      },
    ],
    ["one that fails to say what it is", { redirect_uris: ["http://127.0.0.1:1/cb"], application_type: "web" }],
    ["one that leaves lists empty", { redirect_uris: [REDIRECT_URI], grant_types: [], response_types: [] }],
  ])("%s is taken [facts.oauth.real-clients] [completions.11.empty-lists]", async (_who, metadata) => {
    const answer = await postRegistration(site.app.origin, metadata);
    expect(answer.status).toBe(201);
    const registered = await answer.json();
    expect(registered).toMatchObject({ redirect_uris: metadata.redirect_uris, response_types: ["code"] });
    expect(registered).toMatchObject({ grant_types: ["authorization_code", "refresh_token"] });
    expect(registered).not.toHaveProperty("logo_uri");
    expect(registered).not.toHaveProperty("registration_access_token");
    expect(answer.headers.get("cache-control")).toContain("no-store");
  });

  it.each([
    ["no way to authenticate", {}],
    ["an empty one", { token_endpoint_auth_method: "" }],
    ["none by name", { token_endpoint_auth_method: null, id_token_signed_response_alg: "HS256" }],
    ["a choice of which we know", { token_endpoint_auth_methods_supported: ["tls_client_auth", "none"] }],
    ["a secret of its own", { client_secret: "mine", client_secret_expires_at: 0 }],
  ])(
    "one that names %s is public, and gets no secret [completions.11.public-registration]",
    async (_what, metadata) => {
      const answer = await postRegistration(site.app.origin, { redirect_uris: [REDIRECT_URI], ...metadata });
      expect(answer.status).toBe(201);
      const registered = await answer.json();
      expect(registered).toMatchObject({ token_endpoint_auth_method: "none" });
      expect(registered).not.toHaveProperty("client_secret");
      expect(registered).not.toHaveProperty("client_secret_expires_at");
    },
  );

  it.each([
    ["redirect_uris", 400],
    ["jwks", 400],
    ["client_name", 201],
    ["unknown", 201],
  ])(
    "one whose %s is lists in lists, thousands deep, is answered with %i [facts.oauth.registration]",
    async (field, status) => {
      const nested = "[".repeat(7_000) + "]".repeat(7_000);
      const body = `{"redirect_uris":["${REDIRECT_URI}"],"${field}":${nested}}`;
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`${site.app.origin}/oauth/register`, { method: "POST", headers, body });
      expect(answer.status).toBe(status);
      if (status === 400) expect(await answer.json()).toMatchObject({ error: "invalid_client_metadata" });
    },
  );

  it("one that names how it proves itself gets what it takes [completions.11.public-registration]", async () => {
    for (const metadata of [
      { token_endpoint_auth_method: "client_secret_post" },
      { token_endpoint_auth_methods_supported: ["tls_client_auth", "client_secret_post"] },
    ]) {
      const answer = await postRegistration(site.app.origin, { redirect_uris: [REDIRECT_URI], ...metadata });
      expect(await answer.json()).toMatchObject({
        token_endpoint_auth_method: "client_secret_post",
        client_secret: expect.any(String),
      });
    }
  });

  it.each([
    ["a script for an address", { redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
    ["an address of two hosts", { redirect_uris: ["https://evil.example\\@good.example/"] }, "invalid_redirect_uri"],
    ["an app's address with a backslash", { redirect_uris: ["com.example.app:\\cb"] }, "invalid_redirect_uri"],
    ["no address", { redirect_uris: [] }, "invalid_redirect_uri"],
    [
      "no way to prove itself that we know",
      { redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: "tls_client_auth" },
      "invalid_client_metadata",
    ],
    [
      "no grant that we have",
      { redirect_uris: [REDIRECT_URI], response_types: ["token"], grant_types: ["implicit"] },
      "invalid_client_metadata",
    ],
    ["a NUL character", { redirect_uris: [REDIRECT_URI], software_id: "a\0b" }, "invalid_client_metadata"],
    ["half a character", { redirect_uris: [REDIRECT_URI], software_id: "\ud800" }, "invalid_client_metadata"],
  ])("%s is refused [facts.oauth.registration]", async (_what, metadata, error) => {
    const answer = await postRegistration(site.app.origin, metadata);
    expect([answer.status, await answer.json()]).toMatchObject([400, { error }]);
  });

  it.each(["", "no json", "[]", "null"])("the body %j is refused [facts.oauth.registration]", async (body) => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${site.app.origin}/oauth/register`, { method: "POST", headers, body });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: "invalid_request" }]);
  });

  it("may live in a browser, on any origin [facts.oauth.registration-cors]", async () => {
    for (const path of ["/oauth/register", "/oauth/token"]) {
      const preflight = await fetch(site.app.origin + path, {
        method: "OPTIONS",
        headers: {
          origin: "https://inspector.example.com",
          "access-control-request-method": "POST",
          "access-control-request-headers": "content-type",
        },
      });
      expect(preflight.status).toBe(204);
      expect(["*", "https://inspector.example.com"]).toContain(preflight.headers.get("access-control-allow-origin"));
    }
    const answer = await postRegistration(site.app.origin, { redirect_uris: [REDIRECT_URI] });
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  });

  it("is shown by a name without markup, tricks or length, and told that nobody verified it [facts.oauth.client-name]", async () => {
    const { email } = await site.app.addPerson((await site.app.addWorkspace({ name: "A & B <Ltd>" })).id);
    const tricky = `<img src=x onerror=alert(1)>\u202Eevil\u0007\u200B ${"long ".repeat(40)}`;
    const metadata = {
      client_name: tricky,
      redirect_uris: ["https://client.example.com/cb"],
      logo_uri: "https://client.example.com/logo.png",
      token_endpoint_auth_method: "none",
    };
    const { client_id: clientId, client_name: name } = JSON.parse(
      await (await postRegistration(site.app.origin, metadata)).text(),
    );
    expect(Array.from(name)).toHaveLength(80);
    const url = authorizationUrl(site.app.origin, { clientId }, pkce().challenge, {
      redirect_uri: "https://client.example.com/cb",
    });
    const page = await openConsent(site.app.origin, { email, password: PASSWORD }, url);
    expect(page.heading).toMatch(/^Connect <img src=x onerror=alert\(1\)>evil long .* to A & B <Ltd>\?$/);
    for (const trick of ["<img", "\u202E", "\u0007", "\u200B", "logo.png"]) expect(page.html).not.toContain(trick);
    expect(page.text).toContain("The name is not verified");
    expect(page.text).toContain("Access is handed to client.example.com");
  });
});

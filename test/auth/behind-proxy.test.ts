import express from "express";
import { describe, expect, it } from "vitest";
import { authorizationServer } from "../../auth/authorization-server/index.ts";
import { oauthErrorPage } from "../../src/web/kit/error-page.ts";
import { pages } from "../../src/web/pages.ts";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { Browser } from "../support/browser.ts";
import { listen } from "../support/http.ts";
import {
  authorizationUrl,
  openConsent,
  pkce,
  postToken,
  REDIRECT_URI,
  readTokens,
  register,
} from "../support/oauth-client.ts";
import { connectPerson } from "../support/oauth-person.ts";
import { A_STORE } from "../support/thorough.ts";

const PUBLIC = "https://receivables.example.com";

describe.each(A_STORE)("behind a proxy that speaks https for us", ({ open }) => {
  const site = useAuthApp(open);

  /** The same store, served at https to the world. */
  async function serve() {
    const { core } = site.app;
    const authorization = await authorizationServer({ core, publicOrigin: PUBLIC, errorPage: oauthErrorPage(PUBLIC) });
    const app = express().use(
      authorization.router,
      pages({ core, publicOrigin: PUBLIC, interactions: authorization.interactions }),
    );
    return { ...(await listen(app)), verify: authorization.verifyAccessToken };
  }

  it("the flow is the public one, whatever the headers say [facts.oauth.proxy] [facts.oauth.cookies]", async () => {
    const { url: via, verify, close } = await serve();
    const { email } = await site.app.addPerson((await site.app.addWorkspace()).id);
    const client = await register(via);
    const { verifier, challenge } = pkce();
    const browser = new Browser(PUBLIC, { via });
    Object.assign(browser.headers, { "x-forwarded-host": "evil.example.com", "x-forwarded-proto": "http" });
    const url = authorizationUrl(PUBLIC, client, challenge);
    const consent = await openConsent(PUBLIC, { email, password: PASSWORD, browser }, url);
    expect(consent.headers.get("strict-transport-security")).toMatch(/max-age=/);
    expect(browser.cookie("__Host-session")).toBeTruthy();
    const { left } = await browser.submit(consent, "Allow");
    expect(left?.href.startsWith(REDIRECT_URI)).toBe(true);
    expect(left?.searchParams.get("iss")).toBe(PUBLIC);
    const redemption = {
      grant_type: "authorization_code",
      code: left?.searchParams.get("code") ?? "",
      code_verifier: verifier,
      redirect_uri: REDIRECT_URI,
    };
    const tokens = await readTokens(await postToken(via, client, redemption));
    expect(await verify(tokens.access_token)).toMatchObject({ token: { clientId: client.clientId } });
    const started = await fetch(authorizationUrl(via, client, challenge, { resource: `${PUBLIC}/mcp` }), {
      redirect: "manual",
    });
    expect(started.headers.getSetCookie().length).toBeGreaterThan(0);
    for (const cookie of started.headers.getSetCookie())
      for (const kept of [/; secure/i, /; httponly/i, /; samesite=lax/i]) expect(cookie).toMatch(kept);
    await close();
  });

  it("a token of one origin is none at another, though the keys are the same [facts.oauth.token-claims]", async () => {
    const { verify, close } = await serve();
    const { accessToken } = await connectPerson(site.app);
    expect(await verify(accessToken)).toEqual({ refused: "invalid" });
    await close();
  });
});

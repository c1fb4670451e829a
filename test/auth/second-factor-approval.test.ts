import { describe, expect, it } from "vitest";
import { setSignInRules } from "../../auth/sign-in-rules/operations.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { Browser } from "../support/browser.ts";
import { authorizationUrl, callMcp, openConsent, pkce, register, signInAndApprove } from "../support/oauth-client.ts";
import { secondFactors } from "../support/second-factor.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("approving an assistant with a second factor, $name", ({ open }) => {
  const site = useAuthApp(open);

  const { codeOf, switchOn } = secondFactors(site);

  /** The page to which an assistant leads a person whose password was right. */
  async function asked(email: string, browser: Browser) {
    const address = authorizationUrl(site.app.origin, await register(site.app.origin), pkce().challenge);
    return openConsent(site.app.origin, { email, password: PASSWORD, browser }, address);
  }

  async function enrolled() {
    const { id } = await site.app.addWorkspace();
    const { email } = await site.app.addPerson(id);
    const earlier = await signInAndApprove(site.app.origin, { email, password: PASSWORD });
    const { secret } = await switchOn(earlier.browser);
    return { id, email, secret, earlier };
  }

  it("asks for the code before the consent, and leads on to it; assistants that are connected stay [contract.security.factor]", async () => {
    const { email, secret, earlier } = await enrolled();
    expect((await callMcp(site.app.origin, earlier.accessToken)).status).toBe(200);
    const browser = new Browser(site.app.origin);
    const page = await asked(email, browser);
    expect(page.url.pathname).toBe("/signin/code");
    const consent = await browser.submit(page, "Sign in", { code: codeOf(secret) });
    expect(consent.url.pathname).toMatch(/^\/oauth\/interaction\//);
    const answer = await browser.submit(consent, "Allow", consent.ticking());
    expect(answer.left?.searchParams.get("code")).toMatch(/./);
  });

  it("is not possible in a workspace that requires one, without one; assistants that are connected stay [contract.security.factor-required]", async () => {
    const { id, name } = await site.app.addWorkspace();
    const { email } = await site.app.addPerson(id, { role: "member" });
    const { accessToken, browser } = await signInAndApprove(site.app.origin, { email, password: PASSWORD });
    await operate(site.app.core, id, setSignInRules, { secondFactor: true });
    const again = await asked(email, browser);
    expect(again.html).not.toContain(">Allow</button>");
    expect(again.html).not.toContain(name);
    const elsewhere = await asked(email, new Browser(site.app.origin));
    expect(elsewhere.html).not.toContain(">Allow</button>");
    expect((await callMcp(site.app.origin, accessToken)).status).toBe(200);
  });
});

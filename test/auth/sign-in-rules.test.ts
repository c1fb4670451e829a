import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setSignInRules } from "../../auth/sign-in-rules/operations.ts";
import { removeSignIn } from "../../auth/upstream-sign-in/remove-sign-in.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { Browser, type BrowserPage } from "../support/browser.ts";
import { type Issuer, startIssuer } from "../support/issuer.ts";
import { authorizationUrl, callMcp, openConsent, pkce, register, signInAndApprove } from "../support/oauth-client.ts";
import { addOrganisation, signInAtProvider } from "../support/organisation.ts";
import { secondFactors } from "../support/second-factor.ts";
import { A_STORE } from "../support/thorough.ts";

let issuer: Issuer;
beforeAll(async () => {
  issuer = await startIssuer({ claimsInIdToken: true });
});
afterAll(() => issuer.stop());

describe.each(A_STORE)("single sign-on that a workspace requires, $name", ({ open }) => {
  const site = useAuthApp(open);

  /** A workspace with a provider, and an admin who has a password too. */
  async function workspace() {
    const { id, name, domain } = await addOrganisation(site.app, issuer);
    const { email } = await site.app.addPerson(id, { email: `ana@${domain}` });
    return { id, name, email };
  }
  const byPassword = async (email: string, browser = new Browser(site.app.origin)): Promise<BrowserPage> =>
    browser.submit(await browser.open("/signin"), "Sign in", { email, password: PASSWORD });
  const byProvider = async (email: string) => (await signInAtProvider(site.app, issuer, { email })).browser;
  const require = async (browser: Browser, on: boolean): Promise<BrowserPage> =>
    browser.submit(await browser.open("/sign-in-rules"), "Save rules", on ? { provider_only: "on" } : {});

  it("closes the workspace to passwords at once, assistants stay; the provider opens it [contract.security.sso-required]", async () => {
    const { id, email } = await workspace();
    const { accessToken, browser } = await signInAndApprove(site.app.origin, { email, password: PASSWORD });
    const admin = await byProvider(email);
    expect((await require(admin, true)).text).toContain("Saved.");
    const closed = await browser.open("/members");
    expect([closed.status, closed.html.includes(`w-${id}`)]).toEqual([403, false]);
    const refused = await byPassword(email);
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining("Your workspace takes no passwords."),
    ]);
    expect((await callMcp(site.app.origin, accessToken)).status).toBe(200);
    expect((await admin.open("/members")).html).toContain(id);
    // Without the password nobody learns of the rule.
    const guess = new Browser(site.app.origin);
    const wrong = await guess.submit(await guess.open("/signin"), "Sign in", { email, password: "wrong" });
    expect(wrong.text).toContain("The email or the password is not right.");
    await operate(site.app.core, id, removeSignIn, {});
    expect((await byPassword(email)).url.pathname).toBe("/");
  });

  it("leaves the person's other workspaces to their password [contract.security.sso-required]", async () => {
    const { id, email } = await workspace();
    const { id: other } = await site.app.addWorkspace();
    await site.app.addPerson(other, { email });
    await operate(site.app.core, id, setSignInRules, { providerOnly: true });
    const browser = new Browser(site.app.origin);
    expect((await byPassword(email, browser)).url.pathname).toBe("/");
    const page = await browser.open("/members");
    expect([page.html.includes(`w-${other}`), page.html.includes(`w-${id}`)]).toEqual([true, false]);
  });

  it("tells members who signed in by password how the workspace opens, and leads there [contract.security.sso-required]", async () => {
    const { id, name, email } = await workspace();
    const two = await site.app.newcomer();
    await site.app.addPerson(id, { email: two.email });
    const browser = new Browser(site.app.origin);
    await byPassword(email, browser);
    const form = await browser.open("/invoices/new");
    await operate(site.app.core, id, setSignInRules, { providerOnly: true });
    const words = `${name} takes no passwords. Sign in with your organisation`;
    const here = [`/customers?workspace=${id}`, `/audit?workspace=${id}`, `/mails/${id}/preview`];
    for (const path of ["/", "/customers", "/members", "/audit", ...here]) {
      const page = await browser.open(path);
      expect([page.status, page.text], path).toEqual([403, expect.stringContaining(words)]);
      expect(page.text).not.toMatch(/not a member|Only an admin|No such/);
      const next = `next=${encodeURIComponent(path)}`;
      expect(page.html).toContain(`href="/organisation?workspace=${id}&amp;${next}"`);
    }
    for (const path of here)
      expect(await two.browser.open(path)).toMatchObject({ status: 403, text: expect.stringContaining(words) });
    expect(await two.browser.open("/")).toMatchObject({ status: 200, text: expect.stringContaining(words) });
    const sent = await browser.submit(form, "Create invoice", { number: "L-7" });
    expect([sent.status, sent.text]).toEqual([403, expect.stringContaining("Once the workspace opens")]);
    const [, way = ""] = /href="(\/organisation[^"]*)"/.exec(sent.html) ?? [];
    const start = await browser.open(way.replaceAll("&amp;", "&"));
    const { page } = await signInAtProvider(site.app, issuer, { email, browser, start });
    expect([page.url.pathname, page.html.includes('value="L-7"')]).toEqual(["/invoices/new", true]);
    // A provider's session learns of no other workspace, nor do strangers.
    const elsewhere = await site.app.addWorkspace();
    await site.app.addPerson(elsewhere.id, { email });
    await operate(site.app.core, elsewhere.id, setSignInRules, { secondFactor: true });
    const strangers = (await site.app.newcomer()).browser;
    const unknown = await strangers.open(`/customers?workspace=${id}`);
    expect([unknown.status, unknown.text]).toEqual([404, expect.stringContaining("No such workspace.")]);
    for (const other of [elsewhere.id, randomUUID()]) {
      const page = await browser.open(`/customers?workspace=${other}`);
      expect([page.status, page.text]).toEqual([403, expect.stringContaining("opens its own workspace only")]);
    }
    // Whose assistant was connected elsewhere is led from their mail to this list.
    for (const [who, isTold] of [[browser, true] as const, [strangers, false] as const])
      expect((await who.open("/connections")).text.includes("opens its own workspace only")).toBe(isTold);
    for (const [who, where] of [[browser, elsewhere] as const, [strangers, { id, name }] as const])
      expect((await who.open("/")).html).not.toContain(where.name);
  });

  it("is what an assistant's request says of a workspace that a password does not open [contract.security.sso-required]", async () => {
    const { id, name, email } = await workspace();
    const browser = new Browser(site.app.origin);
    await byPassword(email, browser);
    await operate(site.app.core, id, setSignInRules, { providerOnly: true });
    const address = authorizationUrl(site.app.origin, await register(site.app.origin), pkce().challenge);
    const closed = await browser.open(address);
    expect(closed.text).toContain(`${name} takes no passwords. Sign in with your organisation`);
    expect(closed.text).not.toContain("not a member");
    const { id: open } = await site.app.addWorkspace();
    await site.app.addPerson(open, { email });
    const consent = await browser.open(address);
    expect(consent.text).toMatch(new RegExp(`Connect .* ${name} takes no passwords.`));
    expect(consent.html).toContain('value="allow"');
  });

  it("is not required by who could not sign in any more, or where there is no provider [contract.security.rules-lockout]", async () => {
    const { email } = await workspace();
    const browser = new Browser(site.app.origin);
    await byPassword(email, browser);
    const refused = await require(browser, true);
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining("Sign in with your organisation once before"),
    ]);
    expect((await byPassword(email)).status).toBe(200);
    const { id: without } = await site.app.addWorkspace();
    await expect(operate(site.app.core, without, setSignInRules, { providerOnly: true })).rejects.toMatchObject({
      code: "conflict",
    });
    const { email: member } = await site.app.addPerson(without, { role: "member" });
    const theirs = new Browser(site.app.origin);
    await byPassword(member, theirs);
    expect((await theirs.open("/sign-in-rules")).status).toBe(403);
  });

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
    const { id } = await site.app.addWorkspace();
    const { email } = await site.app.addPerson(id, { role: "member" });
    const { accessToken, browser } = await signInAndApprove(site.app.origin, { email, password: PASSWORD });
    await operate(site.app.core, id, setSignInRules, { secondFactor: true });
    const again = await asked(email, browser);
    expect(again.html).not.toContain(">Allow</button>");
    expect(again.url.pathname).toBe("/security");
    const elsewhere = await asked(email, new Browser(site.app.origin));
    expect(elsewhere.html).not.toContain(">Allow</button>");
    expect((await callMcp(site.app.origin, accessToken)).status).toBe(200);
  });
});

import { describe, expect, it } from "vitest";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { Browser, type BrowserPage } from "../support/browser.ts";
import { authorizationUrl, openConsent, pkce, register, signInAndApprove } from "../support/oauth-client.ts";
import { connectPerson } from "../support/oauth-person.ts";
import { rowsOf } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("the pages", ({ open }) => {
  const site = useAuthApp(open, { trustProxy: true });

  async function newcomer(role: "admin" | "member" = "admin") {
    const workspace = await site.app.addWorkspace();
    const person = await site.app.addPerson(workspace.id, { role });
    return { workspace, ...person, browser: new Browser(site.app.origin) };
  }
  const signIn = async (browser: Browser, email: string, password = PASSWORD): Promise<BrowserPage> =>
    browser.submit(await browser.open("/signin"), "Sign in", { email, password });
  /** An authorization request as a person opens it. */
  const requestUrl = async (): Promise<string> =>
    authorizationUrl(site.app.origin, await register(site.app.origin), pkce().challenge);

  it("sign in and out with the labels of the contract [contract.pages.sign-in]", async () => {
    const { email, browser } = await newcomer();
    const page = await browser.open("/signin");
    expect(page.html).toMatch(/<label for="email">Email<\/label>[\s\S]*<label for="password">Password<\/label>/);
    const wrong = await browser.submit(page, "Sign in", { email, password: "wrong" });
    expect([wrong.status, wrong.url.pathname]).toEqual([400, "/signin"]);
    expect(wrong.text).toContain("The email or the password is not right.");
    expect(wrong.html).not.toContain("wrong");
    expect((await signIn(browser, ` ${email.toUpperCase()} `)).url.pathname).toBe("/");
    expect((await browser.open("/")).text).toContain(email);
    const out = await browser.submit(await browser.open("/signout"), "Sign out");
    expect(out.text).toContain("You have signed out.");
    expect((await browser.open("/connections")).url.pathname).toBe("/signin");
  });

  it("another site signs nobody out: its form comes without their cookies [facts.oauth.sign-out]", async () => {
    const post = (headers: Record<string, string>) =>
      fetch(`${site.app.origin}/signout`, { method: "POST", headers, redirect: "manual" });
    for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }]) {
      const answer = await post(headers);
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
    }
    expect((await post({ "sec-fetch-site": "same-origin" })).status).toBe(303);
  });

  it("a session that was signed out of is no session, wherever its cookie is kept [facts.oauth.sign-out]", async () => {
    const { email, browser } = await newcomer();
    await signIn(browser, email);
    const cookie = browser.cookie("session") ?? "";
    const copy = new Browser(site.app.origin);
    copy.setCookie("session", cookie);
    expect((await copy.open("/connections")).url.pathname).toBe("/connections");
    await browser.submit(await browser.open(await requestUrl()), "Allow");
    await browser.submit(await browser.open("/signout"), "Sign out");
    expect((await copy.open("/connections")).url.pathname).toBe("/signin");
    expect((await browser.open(await requestUrl())).heading).toBe("Sign in to connect Test assistant");
    // The authorization server keeps no session of its own that would have to be ended too.
    expect(browser.cookie("oauth_session")).toBeUndefined();
    const sessions = await rowsOf(site.app.core.store, null, "oidc_artifacts", { model: "Session" });
    expect(sessions).toEqual([]);
  });

  it("a session ends after eight hours", async () => {
    const { email, browser } = await newcomer();
    await signIn(browser, email);
    site.clock.advance(8 * 3600_000);
    expect((await browser.open("/connections")).url.pathname).toBe("/signin");
  });

  it.each([
    "https://evil.example.com/",
    "//evil.example.com/",
    "/\\evil.example.com",
    "javascript:alert(1)",
    "/.//evil.example.com/",
    "/x/..//evil.example.com/",
    "/%2e//evil.example.com/",
  ])("sign-in leads nowhere else: %s [facts.oauth.open-redirect]", async (next) => {
    const { email, browser } = await newcomer();
    const address = `/signin?next=${encodeURIComponent(next)}`;
    const after = await browser.submit(await browser.open(address), "Sign in", { email, password: PASSWORD });
    expect([after.left, after.url.pathname]).toEqual([null, "/"]);
    const again = await browser.open(address);
    expect([again.left, again.url.pathname]).toEqual([null, "/"]);
  });

  it("consent names client and workspace, says what it may and can never do, and offers a way back [contract.pages.consent]", async () => {
    const { email, browser, workspace } = await newcomer();
    const page = await openConsent(site.app.origin, { email, password: PASSWORD, browser }, await requestUrl());
    expect(page.heading).toBe(`Connect Test assistant to ${workspace.name}?`);
    for (const words of [
      "It may Read invoices",
      "Issue and withdraw payment links",
      "Dismiss tasks",
      "Push held payment receipts to the ERP",
      "It can never Send an email it wrote itself Take, refund or move money Change members, integrations or API keys Delete invoices",
      "Access is handed to a program on this computer (127.0.0.1) http://127.0.0.1:9/callback",
      "The name is not verified",
    ])
      expect(page.text).toContain(words);
    expect(page.html).not.toContain("<select");
    const denied = await browser.submit(page, "Deny");
    expect(denied.left?.searchParams.get("error")).toBe("access_denied");
  });

  it("somebody in several workspaces chooses one, and reads what it means in each [contract.pages.consent]", async () => {
    const { email, workspace, browser } = await newcomer();
    const second = await site.app.addWorkspace();
    await site.app.addPerson(second.id, { role: "member", email });
    const page = await openConsent(site.app.origin, { email, password: PASSWORD, browser }, await requestUrl());
    expect(page.heading).toContain(workspace.name);
    expect(page.heading).toContain(second.name);
    expect(page.html).toMatch(/<label for="workspace">Workspace<\/label>\s*<select id="workspace" name="workspace"/);
    expect(page.text).toContain(`If you choose ${second.name}, it may Read invoices`);
    expect(page.text).toContain(`You are not an admin of ${second.name}, so it will only read.`);
  });

  it("who is signed in already is asked all the same, for every request, and may say it is not them [facts.oauth.always-ask]", async () => {
    const { email, browser } = await newcomer();
    await signIn(browser, email);
    for (let time = 0; time < 2; time += 1) {
      const page = await browser.open(await requestUrl());
      expect(page.heading).toMatch(/^Connect Test assistant to/);
      expect((await browser.submit(page, "Allow")).left?.searchParams.get("code")).toBeTruthy();
    }
    const other = await newcomer();
    const page = await browser.open(await requestUrl());
    const asked = await browser.submit(page, "Sign out");
    expect(asked.heading).toBe("Sign in to connect Test assistant");
    const theirs = await browser.submit(asked, "Sign in", { email: other.email, password: PASSWORD });
    expect(theirs.text).toContain(other.email);
    expect((await browser.submit(theirs, "Allow")).left?.searchParams.get("code")).toBeTruthy();
  });

  it("whoever has no workspace with assistants is told so, and the client gets access_denied [completions.1.assistant-access]", async () => {
    const closed = await site.app.addWorkspace({ assistantAccess: false });
    const { email } = await site.app.addPerson(closed.id);
    const browser = new Browser(site.app.origin);
    const page = await openConsent(site.app.origin, { email, password: PASSWORD, browser }, await requestUrl());
    expect(page.text).toContain(
      `${closed.name} has no assistant access: it is switched off there, or the plan does not include it.`,
    );
    expect(page.html).not.toContain(">Allow<");
    const back = await browser.submit(page, "Go back to Test assistant");
    expect(back.left?.searchParams.get("error")).toBe("access_denied");
    expect(back.left?.searchParams.get("iss")).toBe(site.app.origin);
  });

  it("a decision counts once, and in the browser it was asked in [facts.oauth.interaction]", async () => {
    const { email, browser } = await newcomer();
    const page = await openConsent(site.app.origin, { email, password: PASSWORD, browser }, await requestUrl());
    expect((await browser.submit(page, "Allow")).left).not.toBeNull();
    const twice = await browser.submit(page, "Allow");
    expect([twice.status, twice.heading]).toEqual([400, "This connection request has expired"]);
    const fresh = await browser.open(await requestUrl());
    const elsewhere = new Browser(site.app.origin);
    expect((await elsewhere.open(fresh.url.pathname)).status).toBe(400);
  });

  it("a double click on Allow makes one connection [facts.oauth.interaction]", async () => {
    const { email, browser, workspace } = await newcomer();
    const page = await openConsent(site.app.origin, { email, password: PASSWORD, browser }, await requestUrl());
    await Promise.allSettled([browser.submit(page, "Allow"), browser.submit(page, "Allow")]);
    const rows = await rowsOf(site.app.core.store, workspace.id, "assistant_connections");
    expect(rows).toHaveLength(1);
  });

  it("whoever clicks Allow again before the first answer came gets on all the same [facts.oauth.interaction]", async () => {
    const { email, browser } = await newcomer();
    const page = await openConsent(site.app.origin, { email, password: PASSWORD, browser }, await requestUrl());
    const { action, fields, buttonField } = page.formWith("Allow");
    await browser.postAndLeave(action, new URLSearchParams({ ...fields, ...buttonField }));
    expect((await browser.submit(page, "Allow")).left?.searchParams.get("code")).toBeTruthy();
  });

  it("connections: a member sees their own, an admin the workspace's, ended ones included [contract.pages.connections]", async () => {
    const admin = await connectPerson(site.app);
    const { email } = await site.app.addPerson(admin.workspace.id, { role: "member" });
    const member = await signInAndApprove(site.app.origin, { email, password: PASSWORD });
    const none = await site.app.addPerson(admin.workspace.id, { role: "member" });
    const newcomers = await site.app.signedIn(none.email);
    expect((await newcomers.open("/connections")).text).toContain("You have connected no assistant.");
    const theirs = await member.browser.open("/connections");
    expect(theirs.text).toContain("Person Client Scopes Connected Last used");
    expect(theirs.text).toContain(email);
    expect(theirs.text).not.toContain(`${admin.email} Test assistant`);
    const all = await admin.browser.open("/connections");
    expect(all.text).toContain(
      `${admin.email} Test assistant At the person's computer Read receivables Issue and withdraw payment links, and change their mails Remove Dismiss tasks Remove Push held receipts to the ERP Remove Change permissions`,
    );
    expect(all.text).toContain(`${email} Test assistant At the person's computer Read receivables`);
    expect((await member.browser.submit(theirs, "Revoke")).text).toContain("The connection was revoked.");
    const after = (await admin.browser.open("/connections")).text;
    expect(after).toMatch(new RegExp(`Revoked \\d+ \\w+ \\d{4}, \\d\\d:\\d\\d by ${email}`));
    expect((await member.browser.open("/connections")).html).not.toContain(">Revoke<");
  });

  it("no page can be framed, keeps anything, or loads from elsewhere [facts.oauth.page-headers]", async () => {
    const { email, browser } = await newcomer();
    const consent = await openConsent(site.app.origin, { email, password: PASSWORD, browser }, await requestUrl());
    const paths = [
      "/",
      "/signin",
      "/signout",
      "/connections",
      consent.url.pathname,
      "/oauth/authorize?client_id=nobody",
      "/oauth/interaction/none",
    ];
    for (const path of paths) {
      const { headers, html: text } = await browser.open(path);
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy, path).toContain("default-src 'none'");
      expect(policy, path).toContain("frame-ancestors 'none'");
      expect(headers.get("x-frame-options"), path).toBe("DENY");
      expect(headers.get("referrer-policy"), path).toBe("same-origin");
      expect(headers.get("cache-control"), path).toContain("no-store");
      expect(headers.get("x-content-type-options"), path).toBe("nosniff");
      expect(text, path).not.toMatch(/<script(?! src="\/assets\/(copy|page)-)|style="|https?:\/\/(?!127\.0\.0\.1)/);
      // Chromium holds form-action against the redirect to the client, so pages of a request go without.
      expect(policy.includes("form-action"), path).toBe(!path.startsWith("/oauth"));
    }
  });
});

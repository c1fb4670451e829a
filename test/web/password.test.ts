import { describe, expect, it } from "vitest";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { Browser, type BrowserPage } from "../support/browser.ts";
import { meanwhile } from "../support/meanwhile.ts";
import { authorizationUrl, callMcp, pkce, register } from "../support/oauth-client.ts";
import { connectPerson } from "../support/oauth-person.ts";
import { setRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

const NEXT = "another horse, another battery";

describe.each(A_STORE)("the password page, $name", ({ open }) => {
  const site = useAuthApp(open, { trustProxy: true });
  let addresses = 0;

  /** A person with two browsers, at an address of their own. */
  async function signedIn() {
    const person = await connectPerson(site.app);
    addresses += 1;
    person.browser.headers["x-forwarded-for"] = `192.0.2.${addresses}`;
    const second = new Browser(site.app.origin);
    await signIn(second, person.email, PASSWORD);
    return { ...person, second };
  }
  const signIn = async (browser: Browser, email: string, password: string): Promise<BrowserPage> =>
    browser.submit(await browser.open("/signin"), "Sign in", { email, password });
  const change = async (browser: Browser, current: string, next: string): Promise<BrowserPage> =>
    browser.submit(await browser.open("/password"), "Change password", {
      current_password: current,
      new_password: next,
    });

  it("changes it, signs every other browser out and gives this one a new session; assistants stay [contract.pages.password]", async () => {
    const { browser, second, email, accessToken, workspace } = await signedIn();
    const page = await browser.open("/password");
    expect(page.html).toMatch(
      /<label for="current_password">Current password<\/label>[\s\S]*<label for="new_password">New password<\/label>/,
    );
    const before = browser.cookie("session");
    expect((await change(browser, PASSWORD, NEXT)).text).toContain("Your password is changed.");
    expect(browser.cookie("session")).not.toBe(before);
    expect((await browser.open("/connections")).url.pathname).toBe("/connections");
    expect((await second.open("/connections")).url.pathname).toBe("/signin");
    const copy = new Browser(site.app.origin);
    copy.setCookie("session", before ?? "");
    expect((await copy.open("/connections")).url.pathname).toBe("/signin");
    expect((await signIn(second, email, PASSWORD)).status).toBe(400);
    expect((await signIn(second, email, NEXT)).url.pathname).toBe("/");
    expect((await callMcp(site.app.origin, accessToken)).status).toBe(200);
    expect(await site.app.trail(workspace.id, "changePassword")).toMatchObject([{ actor_kind: "person" }]);
  });

  it("takes the current one, and no short one instead [contract.pages.password]", async () => {
    const { browser, second, email } = await signedIn();
    const wrong = await change(browser, "wrong", NEXT);
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining("This is not your current password.")]);
    expect(wrong.html).not.toContain(NEXT);
    const short = await change(browser, PASSWORD, "short");
    expect([short.status, short.text]).toEqual([400, expect.stringContaining("It must have at least 12 characters.")]);
    const both = await change(browser, "wrong", "short");
    for (const words of ["This is not your current password.", "It must have at least 12 characters.", "Give it again"])
      expect(both.text).toContain(words);
    expect([both.status, /"(wrong|short)"/.test(both.html)]).toEqual([400, false]);
    expect((await second.open("/connections")).url.pathname).toBe("/connections");
    expect((await signIn(new Browser(site.app.origin), email, PASSWORD)).url.pathname).toBe("/");
  });

  it("lets nobody in with the old one who was just signing in with it, on any form [facts.oauth.sign-in-under-way]", async () => {
    const { origin, core } = site.app;
    const request = authorizationUrl(origin, await register(origin), pkce().challenge);
    for (const form of ["/signin", request]) {
      const { browser, email } = await signedIn();
      const late = new Browser(origin);
      const page = await late.open(form);
      meanwhile(core.store, "password_hash", () => change(browser, PASSWORD, NEXT));
      const refused = await late.submit(page, "Sign in", { email, password: PASSWORD });
      expect([refused.status, refused.html]).toEqual([400, expect.stringContaining(`value="${email}"`)]);
      expect(refused.text).toContain("The password was changed meanwhile. Sign in with the new one.");
      expect((await late.open("/connections")).url.pathname).toBe("/signin");
      expect((await browser.open("/connections")).url.pathname).toBe("/connections");
      expect((await late.submit(refused, "Sign in", { email, password: NEXT })).status).toBe(200);
    }
  });

  it("is changed once by two who know the same one [facts.oauth.sign-in-under-way]", async () => {
    const { browser, second, email } = await signedIn();
    const page = await second.open("/password");
    meanwhile(site.app.core.store, "password_hash", () => change(browser, PASSWORD, NEXT));
    const fields = { current_password: PASSWORD, new_password: "one that comes too late" };
    const late = await second.submit(page, "Change password", fields);
    expect([late.status, late.text]).toEqual([400, expect.stringContaining("This is not your current password.")]);
    expect((await signIn(new Browser(site.app.origin), email, NEXT)).url.pathname).toBe("/");
  });

  it("limits guessing with the sign-in page together, and asks nobody who is not signed in [facts.oauth.sign-in-limit]", async () => {
    const { browser } = await signedIn();
    const statuses = [];
    for (let guess = 0; guess < 11; guess += 1) statuses.push((await change(browser, `guess ${guess}`, NEXT)).status);
    expect(statuses).toEqual([...Array(10).fill(400), 429]);
    const locked = await change(browser, PASSWORD, NEXT);
    expect([locked.status, Number(locked.headers.get("retry-after")) > 0]).toEqual([429, true]);
    const stranger = new Browser(site.app.origin);
    expect((await stranger.open("/password")).url.pathname).toBe("/signin");
    expect((await stranger.post("/password", new URLSearchParams({ new_password: NEXT }))).url.pathname).toBe(
      "/signin",
    );
  });

  it("is not for who was vouched for by one workspace's provider alone [contract.pages.password]", async () => {
    const { browser, email } = await signedIn();
    const { id } = await site.app.addWorkspace();
    await site.app.addPerson(id, { email });
    const form = (await browser.open("/password")).formWith("Change password");
    await setRows(site.app.core.store, null, "web_sessions", { tenant_id: id });
    const fields = { ...form.fields, current_password: PASSWORD, new_password: NEXT };
    expect((await browser.post("/password", new URLSearchParams(fields))).status).toBe(403);
    expect((await browser.open("/password")).html).not.toContain("Change password</button>");
  });
});

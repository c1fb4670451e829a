import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { removeSecondFactor } from "../../auth/second-factor/remove-second-factor.ts";
import { selectPersonByEmail } from "../../auth/session-queries.ts";
import { setSignInRules } from "../../auth/sign-in-rules/operations.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { connectPerson } from "../support/oauth-person.ts";
import { isIn, proof, secondFactors, secretOn, signIn } from "../support/second-factor.ts";
import { addRows, rowsOf, setRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("a second factor, $name", ({ open }) => {
  const site = useAuthApp(open);

  const { codeOf, enrolled, newBrowser, switchOn } = secondFactors(site);

  it("is asked for after the password, and a code works once [contract.security.factor]", async () => {
    const { email, secret, tenantId } = await enrolled();
    const browser = newBrowser();
    const asked = await signIn(browser, email, "/signin?next=%2Fmembers");
    expect(asked.url.pathname).toBe("/signin/code");
    expect(await isIn(browser)).toBe(false);
    const code = codeOf(secret);
    expect((await browser.submit(asked, "Sign in", { code: "000000" })).status).toBe(400);
    const done = await browser.submit(await browser.open("/signin/code"), "Sign in", {
      code: ` ${code.slice(0, 3)} ${code.slice(3)} `,
    });
    expect(done.url.pathname).toBe("/members");
    const other = newBrowser();
    const again = await other.submit(await signIn(other, email), "Sign in", { code });
    expect([again.status, await isIn(other)]).toEqual([400, false]);
    expect((await site.app.trail(tenantId, "signIn")).at(-1)?.details).toMatchObject({ how: "password and code" });
  });

  it("is on once a code proved it, and other browsers are signed out then [contract.security.factor]", async () => {
    const { email, browser } = await site.app.newcomer();
    const second = newBrowser();
    await signIn(second, email);
    const page = await browser.open("/security/factor");
    expect((await browser.submit(page, "Switch it on", proof("123"))).status).toBe(400);
    expect((await signIn(newBrowser(), email)).url.pathname).toBe("/");
    await browser.submit(page, "Switch it on", proof(codeOf(secretOn(page))));
    expect([await isIn(browser), await isIn(second)]).toEqual([true, false]);
    const stored = await rowsOf(site.app.core.store, null, "second_factors");
    expect(JSON.stringify(stored)).not.toContain(secretOn(page));
  });

  it("leaves a password that waits for its code worth nothing elsewhere, later, or after a change [contract.security.factor]", async () => {
    const { email, secret } = await enrolled();
    const browser = newBrowser();
    const asked = await signIn(browser, email);
    const thief = newBrowser();
    expect((await thief.open("/signin/code")).url.pathname).toBe("/signin");
    site.clock.advance(601_000);
    const late = await browser.submit(asked, "Sign in", { code: codeOf(secret) });
    expect([late.url.pathname, late.text]).toEqual(["/signin", expect.stringContaining("Too much time has passed.")]);
    const waiting = await signIn(browser, email);
    await setRows(site.app.core.store, null, "people", { password_hash: "another" }, { email });
    expect((await browser.submit(waiting, "Sign in", { code: codeOf(secret) })).url.pathname).toBe("/signin");
    expect(await isIn(browser)).toBe(false);
  });

  it("is not guessed: from the sixth on, each guess waits longer [contract.security.factor-guess]", async () => {
    const { email, secret } = await enrolled();
    const browser = newBrowser();
    const asked = await signIn(browser, email);
    const statuses: number[] = [];
    for (let guess = 0; guess < 7; guess++)
      statuses.push((await browser.submit(asked, "Sign in", { code: "000000" })).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429]);
    expect((await browser.submit(asked, "Sign in", { code: codeOf(secret) })).status).toBe(429);
    site.clock.advance(31_000);
    expect((await browser.submit(asked, "Sign in", { code: codeOf(secret) })).url.pathname).toBe("/");
  });

  it("is stood in for by a recovery code, once; new ones end the old [contract.security.recovery]", async () => {
    const { email, codes, secret, browser } = await enrolled();
    expect(codes).toHaveLength(10);
    const [one = "", two = ""] = codes;
    const withCode = async (code: string): Promise<number> => {
      const other = newBrowser();
      const page = await other.submit(await signIn(other, email), "Sign in", { code });
      return (await isIn(other)) ? 200 : page.status;
    };
    expect(await withCode(one.toUpperCase().replaceAll("-", " "))).toBe(200);
    expect(await withCode(one)).toBe(400);
    const renewed = await browser.submit(
      await browser.open("/security/factor"),
      "Make new recovery codes",
      proof(codeOf(secret)),
    );
    expect(renewed.heading).toBe("Your recovery codes");
    expect(await withCode(two)).toBe(400);
    expect((await browser.open("/security")).text).toContain("Recovery codes left: 10");
  });

  it("is switched off by an operator [contract.security.factor]", async () => {
    const lost = await enrolled();
    await operate(site.app.core, lost.tenantId, removeSecondFactor, { member: { email: lost.email } });
    expect(await isIn(lost.browser)).toBe(false);
    expect((await signIn(newBrowser(), lost.email)).url.pathname).toBe("/");
  });

  it("is required by a workspace, which is closed without one; the person's others are not [contract.security.factor-required]", async () => {
    const strict = await site.app.newcomer();
    const { id: lenient, name } = await site.app.addWorkspace();
    await site.app.addPerson(lenient, { email: strict.email });
    const page = await strict.browser.submit(await strict.browser.open("/sign-in-rules"), "Save rules", {
      second_factor: "on",
    });
    expect([page.status, page.text]).toEqual([409, expect.stringContaining("Set up your own second factor before")]);
    await operate(site.app.core, strict.tenantId, setSignInRules, { secondFactor: true });
    expect((await strict.browser.open("/members")).text).toContain(name);
    expect((await strict.browser.open("/members")).html).not.toContain(`w-${strict.tenantId}`);
    const only = await site.app.newcomer("admin", strict.tenantId);
    expect((await signIn(newBrowser(), only.email)).url.pathname).toBe("/security");
    await switchOn(only.browser);
    expect((await only.browser.open("/members")).html).toContain(strict.tenantId);
  });

  /** A workspace that requires one: its admin, and another who is an admin elsewhere, too; both are in by their password. */
  async function strict() {
    const { id, name } = await site.app.addWorkspace();
    const [one, two] = [await site.app.newcomer("admin", id), await site.app.newcomer()];
    await site.app.addPerson(id, { email: two.email });
    const form = await one.browser.open("/invoices/new");
    await operate(site.app.core, id, setSignInRules, { secondFactor: true });
    return { id, name, one, two, form };
  }

  it("is led to from each address of a workspace that requires it; strangers learn of none [contract.security.factor-required] [contract.security.factor-next]", async () => {
    const { id, name, one, two } = await strict();
    const named = [`/customers?workspace=${id}`, `/tasks/${id}?workspace=${id}`, `/audit?workspace=${id}`];
    const here = [...named, `/mails/${id}/preview`];
    const all = ["/", "/customers", "/members", "/api-keys", "/mails", "/sign-in-rules", "/audit", ...here];
    for (const [{ browser }, paths] of [[one, all] as const, [two, here] as const])
      for (const path of paths) {
        const { url, text } = await browser.open(path);
        expect([url.pathname, url.searchParams.get("next")], path).toEqual(["/security", path]);
        expect(text).toContain(`${name} asks for a second factor. Set one up to see it`);
      }
    for (const path of ["/", "/members", "/connections", "/security"]) {
      const page = await two.browser.open(path);
      expect([page.url.pathname, page.text], path).toEqual([
        path,
        expect.stringContaining(`${name} asks for a second`),
      ]);
      expect(page.html).toContain(`/security/factor?next=%2F%3Fworkspace%3D${id}`);
    }
    const [stranger, closed] = [await site.app.newcomer(), (await strict()).one];
    const former = await site.app.newcomer("admin", id);
    await setRows(
      site.app.core.store,
      id,
      "members",
      { removed_at: "2026-01-01T00:00:00Z" },
      { member_id: former.memberId },
    );
    for (const { browser } of [stranger, closed, former])
      for (const path of here) {
        const page = await browser.open(path);
        const isAudit = path.startsWith("/audit") && browser !== stranger.browser;
        const words = isAudit ? "Only an admin of a workspace" : "No such workspace.";
        expect([page.status, page.text], path).toEqual([isAudit ? 403 : 404, expect.stringContaining(words)]);
        expect(page.html).not.toContain(name);
      }
    await switchOn(two.browser);
    expect((await two.browser.open(`/customers?workspace=${id}`)).status).toBe(200);
    expect((await two.browser.open("/")).text).not.toContain("asks for a second");
  });

  it("is led to by a form that was sent without it, which is kept if it can be [contract.security.factor-required] [pages.run.kept]", async () => {
    const { id, one, two, form } = await strict();
    const sent = await one.browser.submit(form, "Create invoice", { number: "L-7" });
    expect([sent.url.pathname, sent.text]).toEqual(["/security", expect.stringContaining("Once the workspace opens")]);
    const typed = new URLSearchParams({ contact: "Typed" });
    const forged = await two.browser.post(`/mails/${id}`, typed, { "sec-fetch-site": "cross-site" });
    expect([forged.status, forged.text]).toEqual([403, expect.stringContaining("was not sent")]);
    const lost = await two.browser.post(`/mails/${id}`, typed);
    expect([lost.url.pathname, lost.text]).toEqual(["/security", expect.stringContaining("could not be kept")]);
    await switchOn(one.browser);
    const again = await one.browser.open(sent.url.searchParams.get("next") ?? "");
    expect([again.url.pathname, again.text]).toEqual([
      "/invoices/new",
      expect.stringContaining("Your sign-in had ended or was not enough: this was not done."),
    ]);
    expect(again.html).toContain('value="L-7"');
    expect(await rowsOf(site.app.core.store, id, "invoices")).toEqual([]);
  });

  it("is led to by an act on an assistant's connection, which is not said to be missing [contract.security.factor-required]", async () => {
    const { workspace, browser, connectionId } = await connectPerson(site.app);
    const page = await browser.open("/connections");
    await operate(site.app.core, workspace.id, setSignInRules, { secondFactor: true });
    const revoked = await browser.submit(page, "Revoke");
    expect([revoked.url.pathname, revoked.text]).toEqual(["/security", expect.stringContaining("was not carried out")]);
    const permissions = await browser.open(`/connections/${connectionId}/permissions`);
    expect([permissions.url.pathname, permissions.text]).toEqual([
      "/security",
      expect.stringContaining(`${workspace.name} asks for a second factor`),
    ]);
    await switchOn(browser);
    expect((await browser.submit(await browser.open("/connections"), "Revoke")).text).toContain("was revoked");
  });

  it("and sessions are listed with their browser and ended, one's own only [contract.security.sessions]", async () => {
    const { email, browser } = await site.app.newcomer();
    const phone = newBrowser();
    phone.headers["user-agent"] = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/605.1";
    await signIn(phone, email);
    const stranger = await site.app.newcomer();
    const page = await browser.open("/security");
    expect(page.text).toContain("Safari on iPhone");
    const id = /name="session" value="([0-9a-f]+)"/.exec(page.html)?.[1] ?? "";
    const forged = await stranger.browser.open("/security");
    expect(forged.html).not.toContain(id);
    const second = newBrowser();
    await signIn(second, stranger.email);
    await stranger.browser.submit(await stranger.browser.open("/security"), "Sign out", { session: id });
    expect(await isIn(phone)).toBe(true);
    await browser.submit(page, "Sign out", { session: id });
    expect([await isIn(phone), await isIn(browser)]).toEqual([false, true]);
    await signIn(phone, email);
    await browser.submit(await browser.open("/security"), "Sign out all others");
    expect([await isIn(phone), await isIn(browser)]).toEqual([false, true]);
  });

  it("and of a person's sessions the latest 50 are live: an older one ends when another begins [contract.security.sessions]", async () => {
    const { email, browser } = await site.app.newcomer();
    const second = newBrowser();
    site.clock.advance(1_000);
    await signIn(second, email);
    const { core } = site.app;
    const person_id = (await core.store.directory((tx) => selectPersonByEmail(tx, email)))?.person_id ?? "";
    const later = new Date(core.clock.now().getTime() + 500).toISOString();
    const session = { person_id, created_at: later, expires_at: new Date(Date.parse(later) + 60_000).toISOString() };
    const vouched = { ...session, tenant_id: (await site.app.addWorkspace()).id };
    // As rows, which count for no limit.
    const many = [...Array.from({ length: 48 }, () => session), ...Array.from({ length: 3 }, () => vouched)];
    const rows = many.map((row) => ({ ...row, session_hash: randomUUID().replaceAll("-", "") }));
    await addRows(core.store, null, { web_sessions: rows });
    expect([await isIn(browser), await isIn(second)]).toEqual([true, true]);
    const newest = newBrowser();
    await signIn(newest, email);
    expect([await isIn(browser), await isIn(second), await isIn(newest)]).toEqual([false, true, true]);
    const page = await newest.open("/security");
    expect(page.html.match(/name="session"/g)).toHaveLength(49 + 3);
  });
});

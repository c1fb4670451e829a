import { describe, expect, it } from "vitest";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { openBook } from "../support/book.ts";
import type { Browser, BrowserPage } from "../support/browser.ts";
import { sendForm } from "../support/collecting-pages.ts";
import { rowsOf } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

const ENDED = "Your session had ended, so this was not carried out. ";
const KEPT = `${ENDED}Sign in again within 15 minutes to find the form as you typed it`;
const AGAIN =
  "Your sign-in had ended or was not enough: this was not done. It is as you typed it, but for secrets: send it again.";

describe.each(A_STORE)("a form that its session did not outlast, on $name", ({ open }) => {
  const site = useAuthApp(open);
  const typed = [
    ["number", 'L-"7"<b>'],
    ["currency", "USD"],
    ["invoice_date", "2026-03-01"],
    ["customer_name", "Globex"],
    ["customer_email", "ap@globex.example"],
    ["due", "2026-12-01"],
    ["amount", "10"],
    ["due", "2027-01-01"],
    ["amount", "20.50"],
  ] as const;

  const endSession = () => site.clock.advance(9 * 3600_000);
  const signIn = (browser: Browser, page: BrowserPage, email: string) =>
    browser.submit(page, "Sign in", { email, password: PASSWORD });
  /** The form of a new invoice, sent after the session has ended. */
  async function sentLate(more: readonly (readonly [string, string])[] = []) {
    const person = await site.app.newcomer();
    const page = await person.browser.open("/invoices/new");
    endSession();
    return { ...person, signInPage: await sendForm(person.browser, page, "Create invoice", [...typed, ...more]) };
  }

  it("is there as it was typed after the sign-in, and is carried out once it is sent again [pages.run.kept]", async () => {
    const { browser, email, tenantId, signInPage } = await sentLate();
    expect([signInPage.url.pathname, signInPage.text]).toEqual(["/signin", expect.stringContaining(KEPT)]);
    const page = await signIn(browser, signInPage, email);
    expect([page.url.pathname, page.status]).toEqual(["/invoices/new", 200]);
    expect(page.text).toContain(AGAIN);
    expect(page.html).toContain('value="L-&quot;7&quot;&lt;b&gt;"');
    expect(page.html).toMatch(/id="due-1"[^>]*value="2027-01-01"/);
    expect(page.html).toMatch(/id="amount-1"[^>]*value="20.50"/);
    expect(await rowsOf(site.app.core.store, tenantId, "invoices")).toEqual([]);
    expect((await browser.open("/invoices/new")).html).not.toContain("L-&quot;7");
    const done = await sendForm(browser, page, "Create invoice", typed);
    expect(done.url.pathname).toMatch(/^\/invoices\/[0-9a-f-]{36}$/);
  });

  it("is there on the page around it, whose address is another, of the same workspace [pages.run.kept]", async () => {
    const { email, browser } = await site.app.newcomer();
    const book = await openBook(site.app.core.store, { name: "Aaa" });
    await site.app.addPerson(book.tenantId, { email });
    const customer = await book.customer({});
    await book.invoice({ customer });
    const { customer_id: id } = customer;
    const page = await browser.open(`/customers/${id}?workspace=${book.tenantId}`);
    endSession();
    const signInPage = await browser.submit(page, "Save billing email", { email: "new@globex.example" });
    const again = await signIn(browser, signInPage, email);
    expect(again.html).toContain('value="new@globex.example"');
    expect(again.text).toContain(AGAIN);
    const saved = await browser.submit(again, "Save billing email");
    expect([saved.url.pathname, saved.status]).toEqual([`/customers/${id}`, 200]);
    expect(await rowsOf(site.app.core.store, book.tenantId, "customers")).toMatchObject([
      { email_override: "new@globex.example" },
    ]);
  });

  it("is not there at the same page of another workspace, and waits for its own [pages.run.kept]", async () => {
    const { browser, email, tenantId } = await site.app.newcomer();
    const other = await openBook(site.app.core.store, { name: "Aaa" });
    await site.app.addPerson(other.tenantId, { email });
    const page = await browser.open(`/invoices/new?workspace=${tenantId}`);
    endSession();
    await sendForm(browser, page, "Create invoice", typed);
    await signIn(browser, await browser.open("/signin"), email);
    const shown = async (workspace: string) => (await browser.open(`/invoices/new?workspace=${workspace}`)).html;
    expect(await shown(other.tenantId)).not.toContain("L-&quot;7");
    expect((await browser.open("/invoices/new")).html, "the one looked at last").not.toContain("L-&quot;7");
    expect(await shown(tenantId)).toContain("L-&quot;7");
  });

  it("is there where it stands on a page of its own [pages.run.kept]", async () => {
    const book = await openBook(site.app.core.store);
    const { email, browser } = await site.app.newcomer("admin", book.tenantId);
    const { customer_id: id } = await book.customer({});
    const path = `/mails/${book.tenantId}/customers/${id}`;
    const page = await browser.open(path);
    const [, button = ""] = /<button[^>]*>(Save[^<]*)</.exec(page.html) ?? [];
    endSession();
    const again = await signIn(browser, await browser.submit(page, button, { locale: "de-DE" }), email);
    expect([again.url.pathname, again.text]).toEqual([path, expect.stringContaining(AGAIN)]);
    expect(again.html).toMatch(/value="de-DE" selected/);
  });

  it("keeps no password, secret or code [pages.run.kept]", async () => {
    const { browser, email } = await site.app.newcomer();
    const page = await browser.open("/erp-connections");
    const { secrets } = site.app.core;
    endSession();
    const fields = { url: "https://pod.fa.example.com", user: "ROBOT", password: "the erp's own" };
    const signInPage = await browser.submit(page, "Connect ERP", fields);
    const cookie = secrets.decrypt(browser.cookie("kept") ?? "", "form that its session did not outlast");
    expect(JSON.parse(cookie).fields).toMatchObject({ url: fields.url, user: "ROBOT" });
    expect(cookie).not.toContain(fields.password);
    const again = await signIn(browser, signInPage, email);
    expect(again.html.match(/<[^>]* autofocus/g)).toEqual(['<p class="alert" role="alert" tabindex="-1" autofocus']);
    expect(again.html).toContain('value="ROBOT"');
    expect(again.html).not.toContain("the erp");
    expect(again.text).toContain("secrets are not kept in forms");
    for (const path of ["/password", "/security/factor"]) {
      const own = await browser.open(path);
      const names = [...own.html.matchAll(/name="form_maker" value="[\w-]{43} ([^"]*)"/g)].map(([, one]) => one);
      expect(names, path).toEqual([path === "/password" ? "current_password new_password" : "current_password code"]);
    }
  });

  it("is for the person alone whom its page was made for, in that browser, for 15 minutes [pages.run.kept]", async () => {
    const first = await sentLate();
    const other = await site.app.addPerson(first.tenantId);
    const theirs = await signIn(first.browser, first.signInPage, other.email);
    expect([theirs.url.pathname, theirs.html.includes("L-&quot;7")]).toEqual(["/invoices/new", false]);
    expect(first.browser.cookie("kept") ?? "").toBe("");

    const late = await sentLate();
    site.clock.advance(16 * 60_000);
    expect((await signIn(late.browser, late.signInPage, late.email)).html).not.toContain("L-&quot;7");

    const [mine, stranger] = [await sentLate(), await site.app.newcomer()];
    const copy = mine.browser.cookie("kept") ?? "";
    expect(copy.length).toBeGreaterThan(100);
    stranger.browser.setCookie("kept", copy);
    expect((await stranger.browser.open("/invoices/new")).html).not.toContain("L-&quot;7");
    stranger.browser.setCookie("kept", `${copy.slice(0, -4)}AAAA`);
    expect((await stranger.browser.open("/invoices/new")).status).toBe(200);
  });

  it("is not kept where it is long or not of our page, which the sign-in says, and refused where it is another site's [pages.run.kept]", async () => {
    const lost = `${ENDED}Sign in again and repeat it: the form could not be kept.`;
    const long = await sentLate([["customer_email", "x".repeat(4_000)]]);
    expect([long.signInPage.text, long.browser.cookie("kept")]).toEqual([expect.stringContaining(lost), undefined]);
    const { browser } = await site.app.newcomer();
    const { fields } = (await browser.open("/invoices/new")).formWith("Create invoice");
    endSession();
    const sent = (given: Record<string, string>, headers = {}) =>
      browser.post("/invoices/new", new URLSearchParams({ number: "1", ...given }), headers);
    expect((await sent({})).text).toContain(lost);
    for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }])
      expect(await sent(fields, headers)).toMatchObject({ status: 403, text: expect.stringContaining("was not sent") });
    expect(browser.cookie("kept")).toBeUndefined();
    expect((await sent(fields)).text).toContain(KEPT);
  });

  it("is of a browser that is remembered past any session, and is not kept in one unknown [pages.run.kept]", async () => {
    const { browser, headers, signInPage } = await openOvernight();
    const [, seconds] = /^browser=.*Max-Age=(\d+)/m.exec(headers.getSetCookie().join("\n")) ?? [];
    expect(Number(seconds)).toBeGreaterThan(7 * 24 * 3600);
    expect([signInPage.text, browser.cookie("kept")]).toEqual([
      expect.stringContaining("repeat it: the form could not be kept."),
      undefined,
    ]);
  });

  /** The form of a new invoice, sent by a browser that has forgotten every cookie. */
  async function openOvernight() {
    const { browser } = await site.app.newcomer();
    const page = await browser.open("/invoices/new");
    browser.setCookie("session", "");
    browser.setCookie("browser", "");
    return { browser, headers: page.headers, signInPage: await browser.submit(page, "Create invoice") };
  }
});

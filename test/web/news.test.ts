import { describe, expect, it } from "vitest";
import { countForm, findSession } from "../../auth/sessions.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { A_STORE } from "../support/thorough.ts";

const PATH = "/mails-to-you";

describe.each(A_STORE)("the page of mails to oneself, $name", ({ open }) => {
  const site = useAuthApp(open);
  /** The names of the boxes that are ticked. */
  const ticked = (html: string) =>
    [...html.matchAll(/name="(\w+)" type="checkbox"\s+value="on" checked/g)].map(([, name]) => name);

  it("has what a role is told of, and takes what any member chooses [pages.news.chosen]", async () => {
    const { tenantId, browser } = await site.app.newcomer("admin");
    const page = await browser.open(PATH);
    expect(ticked(page.html)).toEqual(["mails_failed", "receipts_failed", "erp_refused"]);
    const member = await site.app.newcomer("member", tenantId);
    const before = await member.browser.open(PATH);
    expect(ticked(before.html)).toEqual([]);
    expect(before.text).toContain(`Sent to ${member.email}. Times are in Europe/Berlin.`);
    const chosen = { payments_received: "on", fell_overdue: "on", pace: "at_once" };
    const after = await member.browser.submit(before, "Save", chosen);
    expect(after.text).toContain("Saved.");
    expect(ticked(after.html)).toEqual(["payments_received", "fell_overdue"]);
    expect(after.html).toContain('<option value="at_once" selected>');
    expect((await member.browser.submit(after, "Save", chosen)).text).toContain("Nothing was changed");
    expect(await site.app.trail(tenantId, "setOwnNews")).toHaveLength(1);
    expect(ticked((await browser.open(PATH)).html)).toHaveLength(3);
    // The page that was open before says nothing of what was chosen since.
    const late = await member.browser.submit(before, "Save", { mails_failed: "on" });
    expect(ticked(late.html)).toEqual(["payments_received", "mails_failed", "fell_overdue"]);
    expect(late.html).toContain('<option value="at_once" selected>');
  });

  it("a form beyond 300 in five minutes is refused, says why, and leaves nothing [pages.security.form-turns]", async () => {
    const [{ tenantId, browser }, other] = [await site.app.newcomer("member"), await site.app.newcomer("member")];
    const session = await findSession(site.app.core, browser.cookie("session"));
    if (session === null) return expect.fail("nobody is signed in");
    const choose = async (by: typeof browser, pace: string) => by.submit(await by.open(PATH), "Save", { pace });
    for (let sent = 0; sent < 299; sent += 1) await countForm(site.app.core, session);
    expect((await choose(browser, "at_once")).text).toContain("Saved.");
    const refused = await choose(browser, "morning");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    expect(refused.text).toContain("This was not done: you have sent 300 forms in five minutes.");
    expect(await site.app.trail(tenantId, "setOwnNews")).toHaveLength(1);
    expect((await choose(other.browser, "at_once")).text).toContain("Saved.");
    // As many sessions as they like: there are fewer of a person than of four of them.
    for (let sent = 0; sent < 599; sent += 1) await countForm(site.app.core, { ...session, id: `session ${sent % 3}` });
    const { email } = session;
    const later = await choose(await site.app.signedIn(email), "at_once");
    expect(later.text).toContain("This was not done: you have sent 900 forms in five minutes.");
    // Of a workspace whose provider vouches for them they count apart: it keeps nobody out of the others.
    const vouched = {
      ...session,
      tenantId,
      personId: (await findSession(site.app.core, other.browser.cookie("session")))?.personId ?? "",
    };
    for (let sent = 0; sent < 900; sent += 1) await countForm(site.app.core, { ...vouched, id: `vouched ${sent % 3}` });
    await expect(countForm(site.app.core, { ...vouched, id: "vouched" })).rejects.toMatchObject({
      code: "rate_limit_exceeded",
    });
    expect((await choose(other.browser, "morning")).text).toContain("Saved.");
    site.clock.advance(300_000);
    expect((await choose(browser, "morning")).text).toContain("Saved.");
  });
});

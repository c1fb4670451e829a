import { describe, expect, it } from "vitest";
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
    expect(before.text).toContain(`To ${member.email}, by the clocks of Europe/Berlin.`);
    const chosen = { payments_received: "on", fell_overdue: "on", pace: "at_once" };
    const after = await member.browser.submit(before, "Save", chosen);
    expect(after.text).toContain("Saved.");
    expect(ticked(after.html)).toEqual(["payments_received", "fell_overdue"]);
    expect(after.html).toContain('<option value="at_once" selected>');
    expect((await member.browser.submit(after, "Save", chosen)).text).toContain("Nothing was changed");
    expect(await site.app.trail(tenantId, "setOwnNews")).toHaveLength(1);
    expect(ticked((await browser.open(PATH)).html)).toHaveLength(3);
  });
});

import { describe, expect, it } from "vitest";
import { useAuthApp } from "../support/auth-app.ts";
import { mailsIn } from "../support/outbox.ts";
import { rowsOf } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("a form that is sent twice at once, $name", ({ open }) => {
  const site = useAuthApp(open);

  async function admin(name: string | null = null) {
    const { id } = await site.app.addWorkspace();
    const { email } = await site.app.addPerson(id, { role: "admin" });
    if (name !== null)
      await site.app.core.store.directory(async (tx) => {
        await tx.updateTable("people").set({ name }).where("email", "=", email).execute();
        await tx.updateTable("members").set({ name }).where("tenant_id", "=", id).where("email", "=", email).execute();
      });
    const audited = (operation: string) => site.app.trail(id, operation);
    return { id, email, browser: await site.app.signedIn(email), audited };
  }

  it("invites once, with one mail [pages.security.once]", async () => {
    const { browser, audited } = await admin();
    const page = await browser.open("/members");
    const given = { email: "new@colleague.example", role: "member" };
    const sent = await Promise.all([1, 2, 3].map(() => browser.submit(page, "Invite", given)));
    for (const one of sent) expect(one.text).toContain("The invitation is on its way.");
    expect(await audited("inviteMember")).toHaveLength(1);
    expect(await mailsIn(site.app)).toHaveLength(1);
    const other = await browser.submit(page, "Invite", { ...given, email: "other@colleague.example" });
    expect([other.status, other.text]).toEqual([409, expect.stringContaining("This form was sent before")]);
    const fresh = await browser.submit(other, "Invite", { ...given, email: "other@colleague.example" });
    expect(fresh.text).toContain("The invitation is on its way.");
    expect(await audited("inviteMember")).toHaveLength(2);
    await mailsIn(site.app);
  });

  it("connects an ERP once, and keeps no digest of its password [pages.security.once]", async () => {
    const { browser, id, audited } = await admin();
    const page = await browser.open("/erp-connections");
    const given = { url: "https://erp.example.com", user: "u", password: "a secret of the ERP", unchecked: "on" };
    const sent = await Promise.all([1, 2].map(() => browser.submit(page, "Connect ERP", given)));
    for (const one of sent) expect([one.status, one.url.search]).toEqual([200, "?done=kept"]);
    expect(await audited("connectErp")).toHaveLength(1);
    const rows = await rowsOf(site.app.core.store, id, "erp_connections");
    expect(rows).toHaveLength(1);
    const again = await browser.submit(page, "Connect ERP", { ...given, password: "another" });
    expect(again.url.search).toBe("?done=kept");
    expect(await audited("connectErp")).toHaveLength(1);
  });

  it("names who invites without anything that a mail program makes a link of [completions.11.approval-mail]", async () => {
    const { browser, email } = await admin("Your bank https://evil.example/login now");
    const given = { email: "victim@colleague.example", role: "member" };
    await browser.submit(await browser.open("/members"), "Invite", given);
    const [mail] = await mailsIn(site.app);
    expect(mail?.text).toContain("Your bank https evil example/login now invites you");
    expect(mail?.text).toContain(`Invited by: ${email}`);
    expect(`${mail?.subject} ${mail?.text} ${mail?.html}`).not.toMatch(/evil\.example/);
  });
});

import { describe, expect, it } from "vitest";
import { setMemberRole } from "../../auth/members/set-member-role.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { mailsIn } from "../support/outbox.ts";
import { isIn, secondFactors, signIn } from "../support/second-factor.ts";
import { rowsOf, setRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("a form that is sent twice at once, $name", ({ open }) => {
  const site = useAuthApp(open);

  async function admin(name: string | null = null) {
    const { id } = await site.app.addWorkspace();
    const { email } = await site.app.addPerson(id, { role: "admin" });
    if (name !== null)
      for (const table of ["people", "members"] as const)
        await setRows(site.app.core.store, null, table, { name }, { email });
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
  const { codeOf, enrolled, newBrowser } = secondFactors(site);

  it("with one code or one recovery code sign one browser in [pages.security.races]", async () => {
    const { email, secret, codes } = await enrolled();
    for (const code of [codeOf(secret), codes[0] ?? ""]) {
      const browsers = [1, 2, 3].map(newBrowser);
      const asked = await Promise.all(browsers.map((one) => signIn(one, email)));
      await Promise.all(asked.map((page, at) => browsers[at]?.submit(page, "Sign in", { code })));
      const inside = await Promise.all(browsers.map(isIn));
      expect(inside.filter((one) => one)).toHaveLength(1);
    }
  });

  it("of whom one is made a member: the form that is open is refused [pages.security.races]", async () => {
    const { tenantId: id } = await site.app.newcomer();
    const { browser, memberId } = await site.app.newcomer("admin", id);
    const FORMS = [
      ["/mails", "Save letterhead"],
      ["/sign-in-rules", "Save rules"],
      ["/members", "Invite"],
      ["/api-keys", "Create key"],
      ["/erp-connections", "Connect ERP"],
      ["/integrations", "Connect Stripe"],
    ] as const;
    const pages = await Promise.all(FORMS.map(([path]) => browser.open(path)));
    await operate(site.app.core, id, setMemberRole, { member: { memberId }, role: "member" });
    for (const [at, [path, button]] of FORMS.entries()) {
      const page = pages[at];
      if (page === undefined) throw new Error("every page was opened");
      const given = { name: "k", email: "a@b.example", url: "https://erp.example.com", user: "u", password: "p" };
      expect((await browser.submit(page, button, given)).status, path).toBe(404);
    }
  });
});

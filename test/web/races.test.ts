import { describe, expect, it } from "vitest";
import { setMemberRole } from "../../auth/members/set-member-role.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { isIn, secondFactors, signIn } from "../support/second-factor.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("two at once on the pages, $name", ({ open }) => {
  const site = useAuthApp(open);
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

import { Secret, TOTP } from "otpauth";
import { describe, expect, it } from "vitest";
import { setMemberRole } from "../../auth/members/set-member-role.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { Browser, type BrowserPage } from "../support/browser.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("two at once on the pages, $name", ({ open }) => {
  const site = useAuthApp(open);

  const signIn = async (browser: Browser, email: string, password = PASSWORD): Promise<BrowserPage> =>
    browser.submit(await browser.open("/signin"), "Sign in", { email, password });
  const isIn = async (browser: Browser): Promise<boolean> =>
    (await browser.open("/connections")).url.pathname === "/connections";
  async function admin(tenantId: string) {
    const { email, memberId } = await site.app.addPerson(tenantId, { role: "admin" });
    const browser = new Browser(site.app.origin);
    await signIn(browser, email);
    return { email, memberId, browser };
  }

  it("with one code or one recovery code sign one browser in [pages.security.races]", async () => {
    const { id } = await site.app.addWorkspace();
    const { email, browser } = await admin(id);
    const page = await browser.open("/security/factor");
    const secret = /secret=([A-Z2-7]+)/.exec(page.html)?.[1] ?? "";
    const codeOf = () =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: site.clock.now().getTime() });
    const done = await browser.submit(page, "Switch it on", { code: codeOf(), current_password: PASSWORD });
    const [recovery = ""] = /\b[a-z2-7]{4}(?:-[a-z2-7]{4}){3}\b/.exec(done.html) ?? [];
    site.clock.advance(30_000);
    for (const code of [codeOf(), recovery]) {
      const browsers = [1, 2, 3].map(() => new Browser(site.app.origin));
      const asked = await Promise.all(browsers.map((one) => signIn(one, email)));
      await Promise.all(browsers.map((one, at) => one.submit(asked[at] ?? page, "Sign in", { code })));
      const inside = await Promise.all(browsers.map(isIn));
      expect(inside.filter((one) => one)).toHaveLength(1);
    }
  });

  it("of whom one is made a member: the form that is open is refused [pages.security.races]", async () => {
    const { id } = await site.app.addWorkspace();
    await admin(id);
    const { browser, memberId } = await admin(id);
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

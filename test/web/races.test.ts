import { Secret, TOTP } from "otpauth";
import { describe, expect, it } from "vitest";
import { setMemberRole } from "../../auth/members/set-member-role.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { Browser, type BrowserPage } from "../support/browser.ts";
import { mailsIn } from "../support/outbox.ts";
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
  const rolesIn = (tenantId: string) =>
    site.app.core.store.read(tenantId, async (tx) => {
      const rows = tx.selectFrom("members").select("role").where("tenant_id", "=", tenantId);
      return (await rows.where("removed_at", "is", null).execute()).map(({ role }) => role).sort();
    });

  it("who make each other members leave an admin [pages.security.races]", async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id } = await site.app.addWorkspace();
      const [one, other] = [await admin(id), await admin(id)];
      const sent = async (by: Browser, memberId: string, form: string) => {
        const page = await by.open("/members");
        const action = `/members/${id}/${memberId}/${form}`;
        const [, fields = ""] = new RegExp(`action="${action}">(.*?)</form>`, "s").exec(page.html) ?? [];
        const token = /name="form_token" value="([^"]+)"/.exec(fields)?.[1] ?? "";
        return () => by.post(action, new URLSearchParams({ form_token: token, role: "member" }));
      };
      const acts = [await sent(one.browser, other.memberId, "role"), await sent(other.browser, one.memberId, "role")];
      const pages = await Promise.all(acts.map((act) => act()));
      expect(await rolesIn(id), pages.map(({ status }) => status).join()).toEqual(["admin", "member"]);
    }
  });

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

  it("with one reset link set one password, and end every session [pages.security.races]", async () => {
    const { id } = await site.app.addWorkspace();
    const { email, browser } = await admin(id);
    const stranger = new Browser(site.app.origin);
    await stranger.submit(await stranger.open("/password/forgotten"), "Send the link", { email });
    const mails = (await mailsIn(site.app)).map(({ text }) => text).join("\n");
    const link = /\/password\/reset\/[\w-]{43}/.exec(mails)?.[0] ?? "none";
    const form = await stranger.open(link);
    const passwords = ["the first of two new ones", "the second of two new ones"];
    const pages = await Promise.all(
      passwords.map((password) => stranger.submit(form, "Change password", { new_password: password })),
    );
    expect(pages.map(({ status }) => status).sort()).toEqual([200, 404]);
    const opened = await Promise.all(
      passwords.map(async (password) => {
        const one = new Browser(site.app.origin);
        await signIn(one, email, password);
        return isIn(one);
      }),
    );
    expect(opened.filter((one) => one)).toHaveLength(1);
    expect(await isIn(browser)).toBe(false);
    await mailsIn(site.app);
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

import { Secret, TOTP } from "otpauth";
import { describe, expect, it } from "vitest";
import { addMember } from "../../auth/members/add-member.ts";
import { removeSecondFactor } from "../../auth/second-factor/remove-second-factor.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { Browser, type BrowserPage } from "../support/browser.ts";
import { mailsIn } from "../support/outbox.ts";
import { A_STORE } from "../support/thorough.ts";

const NEXT = "another horse, another battery";

describe.each(A_STORE)("the mail about a change of an account, on $name", ({ open }) => {
  const site = useAuthApp(open);
  const signIn = async (browser: Browser, email: string): Promise<BrowserPage> =>
    browser.submit(await browser.open("/signin"), "Sign in", { email, password: PASSWORD });
  async function person() {
    const { id: tenantId } = await site.app.addWorkspace();
    const { email } = await site.app.addPerson(tenantId);
    await site.app.addPerson(tenantId);
    const browser = new Browser(site.app.origin);
    await signIn(browser, email);
    return { tenantId, email, browser };
  }
  /** What was mailed since, and to whom. */
  async function told() {
    const mails = await mailsIn(site.app);
    return mails.map((mail) => ({
      to: mail.to?.map(({ address }) => address),
      subject: mail.subject,
      text: mail.text,
    }));
  }
  const codeOf = (secret: string): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: site.clock.now().getTime() });
  async function switchOn(browser: Browser): Promise<string> {
    const page = await browser.open("/security/factor");
    const secret = /secret=([A-Z2-7]+)/.exec(page.html)?.[1] ?? "none";
    const on = { code: codeOf(secret), current_password: PASSWORD };
    expect((await browser.submit(page, "Switch it on", on)).heading).toBe("Your recovery codes");
    site.clock.advance(30_000);
    return secret;
  }

  it("tells of a changed password, with the way to react [contract.security.notices]", async () => {
    const { email, browser } = await person();
    const form = { current_password: "wrong", new_password: NEXT };
    await browser.submit(await browser.open("/password"), "Change password", form);
    expect(await told()).toEqual([]);
    await browser.submit(await browser.open("/password"), "Change password", { ...form, current_password: PASSWORD });
    const [mail, ...more] = await told();
    expect([mail?.to, mail?.subject, more]).toEqual([[email], "Your password was changed", []]);
    for (const words of [
      `${site.app.origin}/security`,
      `${site.app.origin}/password/forgotten`,
      "an admin of your workspace or the operator",
      `Account: ${email}`,
    ])
      expect(mail?.text).toContain(words);
    expect(mail?.text).not.toContain(NEXT);
  });

  it("tells of a reset, and of a password that an operator gave [contract.security.notices]", async () => {
    const { email, tenantId } = await person();
    const stranger = new Browser(site.app.origin);
    await stranger.submit(await stranger.open("/password/forgotten"), "Send the link", { email });
    const [asked] = await told();
    const link = /\/password\/reset\/[\w-]{43}/.exec(asked?.text ?? "")?.[0] ?? "no link";
    await stranger.submit(await stranger.open(link), "Change password", { new_password: NEXT });
    expect(await told()).toMatchObject([{ to: [email], subject: "Your password was reset" }]);
    await operate(site.app.core, tenantId, addMember, { email, role: "admin" });
    expect(await told()).toEqual([]);
    await operate(site.app.core, tenantId, addMember, { email, role: "admin", password: PASSWORD });
    expect(await told()).toMatchObject([{ to: [email], subject: "Your password was replaced" }]);
    await operate(site.app.core, tenantId, addMember, { email: "new@x.example", role: "member", password: PASSWORD });
    expect(await told()).toEqual([]);
  });

  it("tells of a second factor switched on and off, of new codes, and of an operator [contract.security.notices]", async () => {
    const { email, tenantId, browser } = await person();
    const secret = await switchOn(browser);
    expect(await told()).toMatchObject([{ to: [email], subject: "Your second factor was switched on" }]);
    const change = async (button: string): Promise<void> => {
      const given = { code: codeOf(secret), current_password: PASSWORD };
      await browser.submit(await browser.open("/security/factor"), button, given);
      site.clock.advance(30_000);
    };
    await change("Make new recovery codes");
    expect(await told()).toMatchObject([{ to: [email], subject: "Your recovery codes were replaced" }]);
    await change("Switch off the second factor");
    expect(await told()).toMatchObject([{ to: [email], subject: "Your second factor was switched off" }]);
    await switchOn(browser);
    await told();
    await operate(site.app.core, tenantId, removeSecondFactor, { member: { email } });
    expect(await told()).toMatchObject([{ to: [email], subject: "Your second factor was removed" }]);
  });
});

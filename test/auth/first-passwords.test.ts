import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { removeSignIn } from "../../auth/upstream-sign-in/remove-sign-in.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { useAuthApp } from "../support/auth-app.ts";
import type { Browser } from "../support/browser.ts";
import { Person } from "../support/credentials.ts";
import { type Issuer, startIssuer } from "../support/issuer.ts";
import { A_STORE } from "../support/thorough.ts";

const CHOSEN = "chosen by who is signed in";
const LINKED = "Your organisation's sign-in leads to your account";
const MAILED = "Choose a new password";

let issuer: Issuer;
beforeAll(async () => {
  issuer = await startIssuer({ claimsInIdToken: true });
});
afterAll(() => issuer.stop());

describe.each(A_STORE)("a first password of who signs in with an organisation, on $name", ({ open }) => {
  const site = useAuthApp(open);

  /** Of both workspaces, which take passwords too. */
  async function member(): Promise<Person> {
    const one = await Person.make(site, issuer);
    await one.join(one.home);
    await one.join(one.other);
    return one;
  }
  const ask = async (browser: Browser) => browser.submit(await browser.open("/password"), "Mail me a link");
  const subjects = async (one: Person) => (await one.mails()).map(({ subject }) => subject);

  it("is mailed to who asks for it there, and opens their other workspaces [completions.11.credentials-told]", async () => {
    const one = await member();
    await operate(one.app.core, one.other.id, removeSignIn, {});
    const browser = await one.atProvider();
    const elsewhere = await browser.open(`/?workspace=${one.other.id}`);
    expect([elsewhere.status, elsewhere.html.includes('<a href="/password">choose one</a>')]).toEqual([403, true]);
    for (let asked = 0; asked < 6; asked += 1)
      expect((await one.browser().open(await one.resetLink())).status).toBe(404);
    expect((await ask(browser)).text).toContain("a link is on its way");
    const reader = one.browser();
    const page = await reader.open(await one.linkTo("/password/reset"));
    await reader.submit(page, "Change password", { new_password: CHOSEN });
    expect(await one.opened(await one.byPassword(CHOSEN))).toEqual(["home", "other"]);
    expect(await subjects(one)).toEqual([LINKED, MAILED, "A password was chosen for your account"]);
  });

  it("is not mailed where it would open what another organisation signs them in to [completions.11.credentials-told]", async () => {
    const one = await member();
    const browser = await one.atProvider();
    const start = await browser.open(`/organisation?workspace=${one.other.id}`);
    await one.atProvider({ browser, start });
    expect(await one.opened(browser)).toEqual(["other"]);
    const home = await one.atProvider();
    expect((await ask(home)).text).toContain("a link is on its way");
    expect(await subjects(one)).toEqual([LINKED, LINKED]);
  });
});

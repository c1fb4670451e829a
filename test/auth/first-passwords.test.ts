import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setSignInRules } from "../../auth/sign-in-rules/operations.ts";
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
    // Typed by a stranger, as the source of who is signed in was once written.
    const typed = await one.browser().open("/password/forgotten");
    for (let asked = 0; asked < 6; asked += 1)
      await one.browser().submit(typed, "Send the link", { email: `${one.email} at ${one.home.id}` });
    expect((await ask(browser)).text).toContain("A link is on its way");
    const reader = one.browser();
    const page = await reader.open(await one.linkTo("/password/reset"));
    await reader.submit(page, "Change password", { new_password: CHOSEN });
    expect(await one.opened(await one.byPassword(CHOSEN))).toEqual(["home", "other"]);
    expect(await subjects(one)).toEqual([LINKED, MAILED, "A password was chosen for your account"]);
  });

  it("is not mailed where it would open what another organisation signs them in to [completions.11.credentials-told]", async () => {
    const one = await member();
    const browser = await one.atProvider();
    await signInToOther(one, browser, "another-account");
    const home = await one.atProvider();
    const refused = await ask(home);
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("No link is mailed")]);
    expect(await subjects(one)).toEqual([LINKED, LINKED]);
  });

  it("is mailed where the same account signs them in to both [completions.11.credentials-told]", async () => {
    const one = await member();
    const other = await one.atProvider();
    await signInToOther(one, other);
    const home = await one.atProvider();
    for (let asked = 0; asked < 5; asked += 1) expect((await ask(home)).text).toContain("A link is on its way");
    expect((await ask(home)).status).toBe(429);
    expect((await ask(other)).text).toContain("A link is on its way");
    expect((await subjects(one)).filter((subject) => subject === MAILED)).toHaveLength(6);
  });

  it("is not mailed where it opens nothing, and the page says no more than that [completions.11.credentials-told]", async () => {
    const one = await member();
    const browser = await one.atProvider();
    for (const { id } of [one.home, one.other]) await operate(one.app.core, id, setSignInRules, { providerOnly: true });
    expect((await ask(browser)).text).toContain("No link is mailed");
  });

  async function signInToOther(one: Person, browser: Browser, sub?: string) {
    const start = await browser.open(`/organisation?workspace=${one.other.id}`);
    await one.atProvider({ browser, start, ...(sub !== undefined && { sub }) });
    expect(await one.opened(browser)).toEqual(["other"]);
  }
});

import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { hashInTurn } from "../../auth/passwords.ts";
import { requestReset, resetPassword } from "../../auth/reset-password.ts";
import { RESET_PATH } from "../../src/core/accounts/reset-mail.ts";
import { mailedToken } from "../../src/core/gate/mailed-token.ts";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { Browser, type BrowserPage } from "../support/browser.ts";
import { connectPerson } from "../support/oauth-person.ts";
import { mailsIn } from "../support/outbox.ts";
import { A_STORE } from "../support/thorough.ts";

const NEXT = "another horse, another battery";
const GONE = "This link is no longer valid";

describe.each(A_STORE)("a forgotten password, $name", ({ open }) => {
  const site = useAuthApp(open, { trustProxy: true });
  let addresses = 0;

  function browserAtNewAddress(): Browser {
    const browser = new Browser(site.app.origin);
    addresses += 1;
    browser.headers["x-forwarded-for"] = `192.0.2.${addresses}`;
    return browser;
  }
  const signIn = async (browser: Browser, email: string, password: string): Promise<BrowserPage> =>
    browser.submit(await browser.open("/signin"), "Sign in", { email, password });
  const ask = async (email: string, browser = browserAtNewAddress()): Promise<BrowserPage> =>
    browser.submit(await browser.open("/password/forgotten"), "Send the link", { email });
  /** The mails with a link that were sent since: to whom, and what they say. */
  const mailed = async () =>
    (await mailsIn(site.app))
      .filter(({ subject }) => subject === "Choose a new password")
      .map(({ to, text = "" }) => ({ to: to?.[0]?.address, text }));
  async function linkFor(email: string): Promise<string> {
    await ask(` ${email.toUpperCase()} `);
    const [mail] = (await mailed()).filter(({ to }) => to === email);
    return new RegExp(`${site.app.origin}(${RESET_PATH}/[\\w-]{43})`).exec(mail?.text ?? "")?.[1] ?? "no link";
  }
  const choose = async (link: string, password: string, browser = browserAtNewAddress()): Promise<BrowserPage> =>
    browser.submit(await browser.open(link), "Change password", { new_password: password });

  it("is replaced by the link of a mail, once; every browser is signed out, assistants stay [contract.security.reset]", async () => {
    const { email, browser, workspace } = await connectPerson(site.app);
    const link = await linkFor(email);
    const page = await browserAtNewAddress().open(link);
    expect(page.text).toContain(`For ${email} .`);
    expect(page.headers.get("cache-control")).toBe("no-store");
    const refused = await choose(link, "short");
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("at least 12 characters")]);
    const done = await choose(link, NEXT);
    expect([done.url.pathname, done.text]).toEqual(["/signin", expect.stringContaining("Your password is changed.")]);
    expect((await browser.open("/connections")).url.pathname).toBe("/signin");
    expect((await signIn(browserAtNewAddress(), email, PASSWORD)).status).toBe(400);
    expect((await signIn(browserAtNewAddress(), email, NEXT)).url.pathname).toBe("/");
    expect((await browserAtNewAddress().open(link)).heading).toBe(GONE);
    expect(await site.app.trail(workspace.id, "resetPassword")).toMatchObject([{ actor_kind: "person" }]);
  });

  it("is not hashed once more for each time that a link is sent at once [contract.security.reset]", async () => {
    const { email } = await connectPerson(site.app);
    const token = (await linkFor(email)).split("/").at(-1) ?? "";
    const reset = (index: number) =>
      resetPassword(site.app.core, { token, next: NEXT }, { address: `reset ${index}`, requestId: "r" });
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, (_, index) => reset(index)));
    const refused = outcomes.filter(({ status }) => status === "rejected");
    expect(refused[0]).toMatchObject({ reason: { code: "rate_limit_exceeded", retryAfterSeconds: 5 } });
    expect(outcomes.filter((one) => one.status === "fulfilled" && one.value !== null)).toHaveLength(1);
    // One is made while two wait.
    const made = await Promise.allSettled(Array.from({ length: 10 }, () => hashInTurn("a link", NEXT)));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  });

  it("leads to no new one by a link that is over, or none [contract.security.reset-guess]", async () => {
    const { email } = await connectPerson(site.app);
    const first = await linkFor(email);
    const second = await linkFor(email);
    const form = await browserAtNewAddress().open(first);
    expect(form.status).toBe(200);
    await choose(second, NEXT);
    const late = await linkFor(email);
    const opened = browserAtNewAddress();
    const lateForm = await opened.open(late);
    site.clock.advance(30 * 60_000);
    const replayed = await opened.submit(lateForm, "Change password", { new_password: "a third one, long enough" });
    expect([replayed.status, replayed.heading]).toEqual([404, GONE]);
    for (const link of [
      first,
      second,
      late,
      `${RESET_PATH}/${mailedToken(site.app.core, "password reset", randomUUID())}`,
      `${RESET_PATH}/${mailedToken(site.app.core, "invitation", randomUUID())}`,
      `${RESET_PATH}/${"A".repeat(43)}`,
      `${RESET_PATH}/%00`,
      `${RESET_PATH}/x`,
    ]) {
      const page = await browserAtNewAddress().open(link);
      expect([link, page.status, page.heading]).toEqual([link, 404, GONE]);
    }
    expect((await signIn(browserAtNewAddress(), email, NEXT)).url.pathname).toBe("/");
  });

  it("answers the same for an email that nobody has, and asks the store as often [contract.security.reset-unknown]", async () => {
    const { email } = await connectPerson(site.app);
    const statements = await countedStatements(() => ask(email));
    const unknown = await countedStatements(() => ask(`nobody-${randomUUID()}@example.com`));
    expect(unknown.page.text).toBe(statements.page.text);
    expect(unknown.page.status).toBe(200);
    expect(unknown.transactions).toBe(statements.transactions);
    expect((await mailed()).map(({ to }) => to)).toEqual([email]);
  });

  it("answers as late for an email that nobody has [contract.security.reset-unknown]", async () => {
    const { id } = await site.app.addWorkspace();
    const known: number[] = [];
    const unknown: number[] = [];
    for (let time = 0; time < 8; time++) {
      known.push(await timed((await site.app.addPerson(id)).email));
      unknown.push(await timed(`nobody-${randomUUID()}@example.com`));
    }
    for (const times of [known, unknown]) {
      // Written down sooner or later within a step, it is answered at its end.
      const soonest = Math.min(...times);
      expect(soonest).toBeGreaterThan(240);
      expect((soonest + 5) % 250).toBeLessThan(60);
    }
    await mailed();
  });

  async function timed(email: string): Promise<number> {
    const began = performance.now();
    await requestReset(site.app.core, email, { address: randomUUID(), requestId: "req_test" });
    return performance.now() - began;
  }

  /** What a request came to, and the transactions it opened in the store. */
  async function countedStatements(work: () => Promise<BrowserPage>) {
    const { store } = site.app.core;
    const opened = vi.spyOn(store, "directory");
    try {
      return { page: await work(), transactions: opened.mock.calls.length };
    } finally {
      opened.mockRestore();
    }
  }

  it("is mailed five times to one account while its links are valid, and twenty times for one address [contract.security.reset-limits]", async () => {
    const { email } = await connectPerson(site.app);
    for (let time = 0; time < 7; time++) expect((await ask(email)).status).toBe(200);
    expect(await mailed()).toHaveLength(5);
    // Once all five are over, the person gets one that is not.
    site.clock.advance(30 * 60_000);
    await ask(email);
    expect(await mailed()).toHaveLength(1);
    const one = browserAtNewAddress();
    const statuses: number[] = [];
    for (let time = 0; time < 22; time++) statuses.push((await ask(`${time}@example.com`, one)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
    const link = await linkFor((await connectPerson(site.app)).email);
    const guesser = browserAtNewAddress();
    const guesses: number[] = [];
    for (let time = 0; time < 32; time++) guesses.push((await guesser.open(`${RESET_PATH}/${"A".repeat(43)}`)).status);
    expect([guesses.filter((status) => status === 404).length, guesses.at(-1)]).toEqual([30, 429]);
    // A genuine link is served there all the same.
    expect((await choose(link, NEXT, guesser)).url.search).toBe("?done=password_reset");
  });
});

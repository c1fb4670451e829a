import { Secret, TOTP } from "otpauth";
import { PASSWORD, type useAuthApp } from "./auth-app.ts";
import { Browser, type BrowserPage } from "./browser.ts";
import type { TestClock } from "./core.ts";

/** The code that somebody's app shows now. */
export const codeAt = (clock: TestClock, secret: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now().getTime() });
/** The secret that a page sets up. */
export const secretOn = (page: BrowserPage): string => /secret=([A-Z2-7]+)/.exec(page.html)?.[1] ?? "none";
/** The recovery codes that a page shows. */
export const recoveryCodesOn = (page: BrowserPage): string[] =>
  [...page.html.matchAll(/\b[a-z2-7]{4}(?:-[a-z2-7]{4}){3}\b/g)].map(([code]) => code);
/** What is given to change a second factor. */
export const proof = (code: string, password = PASSWORD) => ({ current_password: password, code });

export const signIn = async (browser: Browser, email: string, path = "/signin"): Promise<BrowserPage> =>
  browser.submit(await browser.open(path), "Sign in", { email, password: PASSWORD });
export const isIn = async (browser: Browser): Promise<boolean> =>
  (await browser.open("/connections")).url.pathname === "/connections";

/** Second factors at the app of a block. */
export function secondFactors(site: ReturnType<typeof useAuthApp>) {
  const codeOf = (secret: string): string => codeAt(site.clock, secret);
  /** Somebody who is signed in switches one on; the code that proved it is used. */
  async function switchOn(browser: Browser): Promise<{ secret: string; codes: string[] }> {
    const page = await browser.open("/security/factor");
    const secret = secretOn(page);
    const codes = recoveryCodesOn(await browser.submit(page, "Switch it on", proof(codeOf(secret))));
    site.clock.advance(30_000);
    return { secret, codes };
  }
  return {
    codeOf,
    switchOn,
    /** Somebody new who is signed in, with a second factor. */
    async enrolled() {
      const person = await site.app.newcomer();
      return { ...person, ...(await switchOn(person.browser)) };
    },
    newBrowser: () => new Browser(site.app.origin),
  };
}

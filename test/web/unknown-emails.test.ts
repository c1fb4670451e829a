import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { pages } from "../../src/web/pages.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { Browser, type BrowserPage } from "../support/browser.ts";
import { authorizationUrl, pkce, register } from "../support/oauth-client.ts";
import { A_STORE } from "../support/thorough.ts";
import { registeredRoutes } from "./doors/registered-routes.ts";

/** What takes an email of somebody who is not signed in. */
interface Entry {
  readonly button: string;
  readonly fields: Readonly<Record<string, string>>;
  /** The work differs for an email that has an account; this many milliseconds hide it. */
  readonly step?: number;
}
const SIGN_IN: Entry = { button: "Sign in", fields: { password: "a guess of some length" }, step: 250 };
const ENTRIES: Readonly<Record<string, Entry>> = {
  "/signin": SIGN_IN,
  "/interaction/:uid": SIGN_IN,
  "/password/forgotten": { button: "Send the link", fields: {}, step: 250 },
  "/organisation": { button: "Continue", fields: {} },
};
const WORKSPACES = 5;
const TIMES = 6;

describe.each(A_STORE)("an email of somebody who is not signed in, on $name", ({ open }) => {
  const site = useAuthApp(open, { trustProxy: true });

  let addresses = 0;

  /** A browser at an address of its own, on the page of an entry. */
  async function at(path: string): Promise<{ browser: Browser; page: BrowserPage }> {
    const browser = new Browser(site.app.origin);
    addresses += 1;
    browser.headers["x-forwarded-for"] = `2001:db8:0:${addresses.toString(16)}::1`;
    const { origin } = site.app;
    const address = path.includes(":uid") ? authorizationUrl(origin, await register(origin), pkce().challenge) : path;
    return { browser, page: await browser.open(address) };
  }

  it("is asked for by these pages alone [facts.oauth.email-enumeration]", async () => {
    const { core, origin, authorization } = site.app;
    const routes = registeredRoutes(pages({ core, publicOrigin: origin, interactions: authorization.interactions }));
    const paths = routes.filter((route) => /^GET \/(?!.*:)/.test(route)).map((route) => route.slice(4));
    const asking: string[] = [];
    for (const path of paths) {
      const page = await new Browser(origin).open(path);
      if (page.url.pathname === path && page.html.includes('type="email"')) asking.push(path);
    }
    expect(asking.sort()).toEqual(
      Object.keys(ENTRIES)
        .filter((path) => !path.includes(":"))
        .sort(),
    );
  });

  it.each(Object.entries(ENTRIES))("at %s is not read where it cannot be", async (path, entry) => {
    const { browser, page } = await at(path);
    const nul = await browser.submit(page, entry.button, { ...entry.fields, email: "a\0b@example.com" });
    const { action, fields } = page.formWith(entry.button);
    const headers = { "content-type": "application/x-www-form-urlencoded; charset=utf-7" };
    const unheard = await browser.post(new URL(action, page.url).href, new URLSearchParams(fields), headers);
    for (const { status, text } of [nul, unheard])
      expect([status, text]).toEqual([400, expect.stringContaining("The form could not be read.")]);
  });

  it.each(Object.entries(ENTRIES))(
    "at %s tells nothing of accounts, by words or time [facts.oauth.email-enumeration]",
    async (path, { button, fields, step }) => {
      const answers = new Set<string>();
      const times: Record<"known" | "unknown", number[]> = { known: [], unknown: [] };
      const emails = async (kind: keyof typeof times): Promise<string> => {
        const email = `${randomUUID()}@example.com`;
        if (kind === "known")
          for (let count = 0; count < WORKSPACES; count++)
            await site.app.addPerson((await site.app.addWorkspace()).id, { email });
        return email;
      };
      for (let time = 0; time < TIMES; time++)
        for (const kind of ["known", "unknown"] as const) {
          const email = await emails(kind);
          const { browser, page } = await at(path);
          const began = performance.now();
          const { status, text, headers } = await browser.submit(page, button, { ...fields, email });
          times[kind].push(performance.now() - began);
          answers.add(`${status} ${headers.get("retry-after")} ${text.replaceAll(email, "…")}`);
        }
      expect([...answers]).toHaveLength(1);
      if (step === undefined) return;
      // However fast the machine: none is answered before the step at which what differs is done.
      for (const all of Object.values(times)) expect(Math.min(...all), `${all}`).toBeGreaterThanOrEqual(step - 1);
    },
  );
});

import { describe, expect, it } from "vitest";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { Browser } from "../support/browser.ts";
import { flood } from "../support/http.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("an address that many share", ({ open }) => {
  const site = useAuthApp(open, { trustProxy: true });

  it("invented session cookies share the turn of their address, which delays nobody else [pages.security.turns]", async () => {
    const { email } = await site.app.addPerson((await site.app.addWorkspace()).id, { role: "admin" });
    const browser = new Browser(site.app.origin);
    browser.headers["x-forwarded-for"] = "192.0.2.68";
    await browser.submit(await browser.open("/signin"), "Sign in", { email, password: PASSWORD });
    const { host } = new URL(site.app.origin);
    const made = (n: number): string => `Host: ${host}\r\nX-Forwarded-For: 192.0.2.68\r\nCookie: session=${n}\r\n`;
    const answers = flood(
      site.app.origin,
      Array.from({ length: 600 }, (_, n) => `GET / HTTP/1.1\r\n${made(n)}`),
    );
    expect((await browser.open("/")).status).toBe(200);
    const statuses = [...(await answers).matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);
    expect(statuses.filter((status) => status === "429").length).toBeGreaterThan(100);
    expect(statuses.filter((status) => status === "200").length).toBeGreaterThan(400);
  });

  it("who signed in with a browser before has turns of their own where an address is full of strangers [pages.security.turns]", async () => {
    const { email } = await site.app.addPerson((await site.app.addWorkspace()).id, { role: "admin" });
    const colleague = await site.app.signedIn(email);
    const { host } = new URL(site.app.origin);
    const head = `GET /signin HTTP/1.1\r\nHost: ${host}\r\n`;
    const known = `${head}Cookie: known=${colleague.cookie("known")}\r\n`;
    const statuses = async (heads: string[]) =>
      [...(await flood(site.app.origin, heads)).matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);
    const strangers = statuses(Array<string>(600).fill(head));
    expect(await statuses(Array<string>(10).fill(known))).toEqual(Array(10).fill("200"));
    const at = (last: number) => `${known}X-Forwarded-For: 192.0.2.${last}\r\n`;
    const copies = statuses(Array<string>(600).fill(at(7)));
    expect(await statuses(Array<string>(10).fill(at(8)))).toEqual(Array(10).fill("200"));
    expect((await copies).filter((status) => status === "429").length).toBeGreaterThan(100);
    expect((await strangers).filter((status) => status === "429").length).toBeGreaterThan(100);
  });
});

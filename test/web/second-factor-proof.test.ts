import { describe, expect, it } from "vitest";
import { setSignInRules } from "../../auth/sign-in-rules/operations.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import type { Browser } from "../support/browser.ts";
import { authorizationUrl, openConsent, pkce, register } from "../support/oauth-client.ts";
import { isIn, proof, secondFactors, secretOn, signIn } from "../support/second-factor.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("changing a second factor, $name", ({ open }) => {
  const site = useAuthApp(open, { trustProxy: true });

  const { codeOf, enrolled, newBrowser } = secondFactors(site);
  /** A browser with the same session cookie, as a thief has it. */
  function stolen(from: Browser): Browser {
    const thief = newBrowser();
    thief.setCookie("session", from.cookie("session") ?? "none");
    return thief;
  }

  it("takes the current password, which a stolen session does not have [contract.security.factor-proof]", async () => {
    const { browser, email } = await site.app.newcomer();
    const thief = stolen(browser);
    const page = await thief.open("/security/factor");
    for (const current of ["", "a guess of the password"]) {
      const given = proof(codeOf(secretOn(page)), current);
      const refused = await thief.submit(page, "Switch it on", given);
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("not your current password")]);
      expect(refused.html).not.toContain("a guess");
      expect(secretOn(refused)).toBe(secretOn(page));
    }
    expect((await signIn(newBrowser(), email)).url.pathname).toBe("/");
  });

  it("shows a stolen session no secret that the person sets up, and ends it then [contract.security.factor-proof]", async () => {
    const { browser } = await site.app.newcomer();
    const page = await browser.open("/security/factor");
    const thief = stolen(browser);
    const other = await thief.open("/security/factor");
    expect(secretOn(other)).not.toBe(secretOn(page));
    expect(secretOn(await browser.open("/security/factor"))).toBe(secretOn(page));
    const given = proof(codeOf(secretOn(page)));
    expect((await browser.submit(page, "Switch it on", given)).heading).toBe("Your recovery codes");
    expect([await isIn(browser), await isIn(thief)]).toEqual([true, false]);
  });

  it("asks for both to switch it off and for new codes, reports both, and keeps neither [contract.security.factor-proof]", async () => {
    const { browser, secret, email, codes } = await enrolled();
    const page = await browser.open("/security/factor");
    for (const button of ["Switch off the second factor", "Make new recovery codes"]) {
      const both = await browser.submit(page, button, proof("12ab", "wrong horse"));
      expect(both.status).toBe(400);
      for (const words of [
        "not your current password",
        "This code is not right",
        "Give it again: secrets are not kept in forms.",
      ])
        expect(both.text).toContain(words);
      expect(both.html).not.toMatch(/12ab|wrong horse/);
      expect((await browser.submit(page, button, proof("000000"))).text).toContain("This code is not right");
      const wrong = proof(codeOf(secret), "wrong horse");
      expect((await browser.submit(page, button, wrong)).text).toContain("not your current password");
    }
    const recovery = proof(codes[0] ?? "", "wrong horse");
    expect((await browser.submit(page, "Make new recovery codes", recovery)).status).toBe(400);
    expect((await browser.open("/security")).text).toContain("Recovery codes left: 10");
    const right = proof(codeOf(secret));
    const thief = stolen(browser);
    const off = await browser.submit(page, "Switch off the second factor", right);
    expect([off.url.search, await isIn(browser), await isIn(thief)]).toEqual(["?done=off", true, false]);
    expect((await signIn(newBrowser(), email)).url.pathname).toBe("/");
  });

  it("closes a workspace that requires one to the browser that switched it off [contract.security.factor-required]", async () => {
    const { browser, secret, tenantId: id } = await enrolled();
    await operate(site.app.core, id, setSignInRules, { secondFactor: true });
    expect((await browser.open("/members")).html).toContain(id);
    const page = await browser.open("/security/factor");
    await browser.submit(page, "Switch off the second factor", proof(codeOf(secret)));
    expect((await browser.open("/members")).html).not.toContain(id);
    expect((await browser.open("/invoices?limit=5")).url.pathname).toBe("/security");
  });

  it("gives ten recovery codes, however many browsers ask at once [contract.security.recovery]", async () => {
    const { browser, secret, codes, email } = await enrolled();
    const second = newBrowser();
    await second.submit(await signIn(second, email), "Sign in", { code: codes[0] ?? "" });
    const renew = async (one: Browser, code: string) => {
      const given = { code, current_password: PASSWORD };
      return one.submit(await one.open("/security/factor"), "Make new recovery codes", given);
    };
    await Promise.all([renew(browser, codeOf(secret)), renew(second, codes[1] ?? "")]);
    expect((await browser.open("/security")).text).toContain("Recovery codes left: 10");
  });

  it("is not locked by guesses from elsewhere with a stolen password, which make no address known [contract.security.factor-guess]", async () => {
    const { email, secret } = await enrolled();
    const from = (address: string): Browser => {
      const browser = newBrowser();
      browser.headers["x-forwarded-for"] = address;
      return browser;
    };
    const own = from("192.0.2.1");
    await own.submit(await signIn(own, email), "Sign in", { code: codeOf(secret) });
    site.clock.advance(30_000);
    const thief = from("198.51.100.7");
    const asked = await signIn(thief, email);
    const statuses: number[] = [];
    for (let guess = 0; guess < 7; guess++)
      statuses.push((await thief.submit(asked, "Sign in", { code: "000000" })).status);
    expect(statuses.slice(-2)).toEqual([429, 429]);
    const again = from("192.0.2.1");
    const done = await again.submit(await signIn(again, email), "Sign in", { code: codeOf(secret) });
    expect(done.url.pathname).toBe("/");
    const elsewhere = from("203.0.113.9");
    const late = await elsewhere.submit(await signIn(elsewhere, email), "Sign in", { code: codeOf(secret) });
    expect(late.status).toBe(429);
    const known = await site.app.core.store.directory((tx) =>
      tx
        .selectFrom("sign_in_addresses")
        .innerJoin("people", "people.person_id", "sign_in_addresses.person_id")
        .select("address_hash")
        .where("email", "=", email)
        .execute(),
    );
    // Where they set it up, and their own.
    expect(known).toHaveLength(2);
  });

  it("is taken in a browser they signed in with, while a neighbour with the password takes each next try [contract.security.factor-guess]", async () => {
    const { email, browser, secret } = await enrolled();
    const neighbour = newBrowser();
    const asked = await signIn(neighbour, email);
    const guess = async () => (await neighbour.submit(asked, "Sign in", { code: "000000" })).status;
    while ((await guess()) === 400);
    await browser.submit(await browser.open("/signout"), "Sign out");
    site.clock.advance(31_000);
    expect([await guess(), await guess()]).toEqual([400, 429]);
    const given = { code: codeOf(secret) };
    expect((await browser.submit(await signIn(browser, email), "Sign in", given)).url.pathname).toBe("/");
    // A password alone makes no browser known.
    expect(neighbour.cookie("known")).toBe(undefined);
  });

  it("leads back to the consent that it was required for [contract.security.factor-next]", async () => {
    const { tenantId: id, email, browser: earlier } = await site.app.newcomer();
    await operate(site.app.core, id, setSignInRules, { secondFactor: true });
    const consent = async (browser: Browser) =>
      openConsent(
        site.app.origin,
        { email, password: PASSWORD, browser },
        authorizationUrl(site.app.origin, await register(site.app.origin), pkce().challenge),
      );
    for (const browser of [newBrowser(), earlier]) {
      const asked = await consent(browser);
      expect([asked.url.pathname, asked.text]).toEqual(["/security", expect.stringContaining("asks for a second")]);
    }
    const browser = newBrowser();
    const page = await browser.open((await consent(browser)).linkTo("Set up an authenticator app"));
    const wrong = await browser.submit(page, "Switch it on", proof("000"));
    const given = proof(codeOf(secretOn(page)));
    const codes = await browser.submit(wrong, "Switch it on", given);
    const back = await browser.open(codes.linkTo("I have saved them"));
    expect(back.url.pathname).toMatch(/^\/oauth\/interaction\//);
    const answer = await browser.submit(back, "Allow");
    expect(answer.left?.searchParams.get("code")).toMatch(/./);
  });

  it("leads to no other place [contract.security.factor-next]", async () => {
    const { browser } = await site.app.newcomer();
    const AWAY = [
      "https://evil.example/",
      "//evil.example/",
      "/\\evil.example/",
      "\\\\evil.example",
      "/.//evil.example",
      "/%09/evil.example/../..//evil.example",
      "javascript:alert(1)",
      "data:text/html,x",
      "evil.example",
      " /x",
      "/\t/evil.example",
      `/${"a".repeat(2_000)}`,
    ];
    for (const next of AWAY)
      for (const path of ["/security", "/security/factor"]) {
        const page = await browser.open(`${path}?required&${new URLSearchParams({ next })}`);
        const links = [...page.html.matchAll(/(?:href|action)="([^"]*)"/g)].map(([, link = ""]) => link);
        for (const link of links.filter((one) => !one.startsWith("otpauth:")))
          expect(new URL(link.replaceAll("&amp;", "&"), site.app.origin).origin, `${next}: ${link}`).toBe(
            site.app.origin,
          );
        expect(page.html).not.toMatch(/evil\.example|javascript:|aaaaaaaaaa/);
      }
    const twice = await browser.open("/security/factor?next=/members&next=//evil.example");
    expect(twice.html).not.toContain("evil.example");
  });
});

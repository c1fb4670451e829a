import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import express from "express";
import { describe, expect, it, onTestFinished } from "vitest";
import { setSignIn } from "../../auth/upstream-sign-in/set-sign-in.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { Browser, type BrowserPage } from "../support/browser.ts";
import { Person } from "../support/credentials.ts";
import { listen } from "../support/http.ts";
import { startIssuer } from "../support/issuer.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("turns of forms, and of what waits for a provider", ({ open }) => {
  const site = useAuthApp(open, { trustProxy: true, core: { localErps: true } });

  const admin = async (): Promise<Browser> => (await site.app.newcomer()).browser;

  it("forms of who holds a link's token take the turns of their address [pages.security.turns]", async () => {
    const issuer = await startIssuer();
    onTestFinished(() => issuer.stop());
    const one = await Person.make(site, issuer);
    const holder = new Browser(site.app.origin);
    const page = await holder.open(await one.invited());
    const answers = Array.from({ length: 600 }, () => holder.submit(page, "Join", { name: "", password: "short" }));
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 400).length).toBeGreaterThan(400);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(10);
  });

  it("a person's forms take turns of their own: many are refused, and those that wait for an ERP hold up nobody else's [pages.security.form-turns]", async () => {
    let asked = 0;
    const silent = createServer(() => {
      asked += 1;
    });
    await once(silent.listen(0, "127.0.0.1"), "listening");
    const address = silent.address();
    const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
    const [busy, other] = [await admin(), await admin()];
    const page = await busy.open("/erp-connections");
    const connect = (): Promise<BrowserPage> =>
      busy.submit(page, "Connect ERP", { url, user: "U", password: "P", once: crypto.randomUUID() });
    const statuses: number[] = [];
    const sent: Promise<unknown>[] = [];
    for (let round = 0; round < 3; round += 1) {
      sent.push(...Array.from({ length: 20 }, async () => statuses.push((await connect()).status)));
      await expect.poll(() => asked).toBe(2);
      await sleep(500);
    }
    // Two wait for the ERP, two for those, and forty for these.
    await expect.poll(() => statuses).toEqual(Array(16).fill(429));
    const theirs = { url, user: "U", password: "P", unchecked: "on" };
    const saved = await other.submit(await other.open("/erp-connections"), "Connect ERP", theirs);
    expect(saved.text).toContain("Saved. The ERP was not asked");
    expect(asked).toBe(2);
    silent.close();
    silent.closeAllConnections();
    await Promise.all(sent);
    expect(statuses.filter((status) => status === 400)).toHaveLength(44);
  });

  it("those who come back from a provider that hangs hold up nobody else's page, and eight of a workspace wait for it [pages.security.outside-waits]", async () => {
    let asked = 0;
    const hanging = await listen(
      express()
        .get("/.well-known/openid-configuration", (_asked, answer) => {
          const { url: issuer } = hanging;
          const endpoints = { authorization_endpoint: `${issuer}/a`, token_endpoint: `${issuer}/t` };
          answer.json({ issuer, ...endpoints, jwks_uri: `${issuer}/j`, response_types_supported: ["code"] });
        })
        .post("/t", () => {
          asked += 1;
        }),
    );
    const { id } = await site.app.addWorkspace();
    const settings = { issuer: hanging.url, clientId: "c", clientSecret: "s", domains: ["hang.example"] };
    await operate(site.app.core, id, setSignIn, { ...settings, trustEmail: false });
    const browser = new Browser(site.app.origin);
    const { left } = await browser.submit(await browser.open(`/organisation?workspace=${id}`), "Continue");
    const back = `/organisation/${id}/callback?code=x&state=${left?.searchParams.get("state")}`;
    const headers = { cookie: `organisation_sign_in=${browser.cookie("organisation_sign_in")}` };
    const statuses: number[] = [];
    const comeBack = async () => statuses.push((await fetch(site.app.origin + back, { headers })).status);
    const sent = Array.from({ length: 12 }, comeBack);
    await expect.poll(() => asked).toBeGreaterThan(3);
    expect((await new Browser(site.app.origin).open("/signin")).status).toBe(200);
    expect(statuses).toEqual([]);
    await expect.poll(() => asked).toBe(8);
    await sleep(200);
    expect(asked).toBe(8);
    await hanging.close();
    await Promise.all(sent);
    expect(statuses).toEqual(Array(12).fill(400));
  });
});

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import express from "express";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AuthApp, PASSWORD, startAuthApp } from "../support/auth-app.ts";
import { testCore } from "../support/core.ts";
import { listen } from "../support/http.ts";
import { authorizationUrl, callMcp, pkce, redeem, register, signInAndApprove } from "../support/oauth-client.ts";
import { STORES, type TestStore } from "../support/stores.ts";

const CHROMIUM = "/usr/bin/chromium";
const SCREENSHOTS = join(import.meta.dirname, "../.screenshots");
const [EMBEDDED] = STORES;

/** In real Chromium: the policies that only a browser enforces, and pictures of the pages to look at. */
describe.skipIf(!existsSync(CHROMIUM) || EMBEDDED === undefined)("a person with a real browser", () => {
  let opened: TestStore;
  let app: AuthApp;
  let browser: Browser;
  let client: { url: string; close(): Promise<void>; answers: URL[] };

  beforeAll(async () => {
    mkdirSync(SCREENSHOTS, { recursive: true });
    if (EMBEDDED === undefined) throw new Error("no store");
    opened = await EMBEDDED.open();
    app = await startAuthApp(testCore(opened.store, { now: () => new Date() }));
    const answers: URL[] = [];
    const callback = express();
    const heard = await listen(
      callback.get("/callback", (request, response) => {
        answers.push(new URL(request.originalUrl, "http://client"));
        response.send("<h1>You can close this window</h1>");
      }),
    );
    client = { ...heard, answers };
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
  });
  afterAll(async () => {
    await browser?.close();
    await client?.close();
    await app?.close();
    await opened?.remove();
  });

  const picture = (page: Page, name: string): Promise<Buffer> =>
    page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });

  async function newPage(options: { dark?: boolean; width?: number } = {}): Promise<{ page: Page; errors: string[] }> {
    const page = await browser.newPage({
      colorScheme: options.dark === true ? "dark" : "light",
      viewport: { width: options.width ?? 1100, height: 800 },
    });
    const errors: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    page.on("pageerror", (error) => errors.push(error.message));
    return { page, errors };
  }

  async function request(
    name: string,
  ): Promise<{ url: string; verifier: string; registered: { clientId: string }; redirectUri: string }> {
    const redirectUri = `${client.url}/callback`;
    const registered = await register(app.origin, { client_name: name, redirect_uris: [redirectUri] });
    const { verifier, challenge } = pkce();
    const url = authorizationUrl(app.origin, registered, challenge, { redirect_uri: redirectUri });
    return { url, verifier, registered, redirectUri };
  }

  it("signs in, allows an assistant, and stops it with one click", async () => {
    const workspace = await app.addWorkspace({ name: "Northwind Traders" });
    const person = await app.addPerson(workspace.id, { email: "ada@northwind.example.com" });
    const { page, errors } = await newPage();
    const { url, verifier, registered, redirectUri } = await request("Claude");

    await page.goto(url);
    await picture(page, "sign-in");
    await page.getByLabel("Email").fill(person.email);
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
    await picture(page, "sign-in-refused");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();

    await page.getByRole("heading", { name: "Connect Claude to Northwind Traders?" }).waitFor();
    await picture(page, "consent");
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText("You can close this window").waitFor();

    const code = client.answers.at(-1)?.searchParams.get("code") ?? "";
    const tokens = await redeem(app.origin, registered, { code, verifier, redirectUri });
    expect((await callMcp(app.origin, tokens.access_token)).status).toBe(200);

    await page.goto(`${app.origin}/connections`);
    await picture(page, "connections-one");
    await page
      .getByRole("row", { name: /Claude/ })
      .getByRole("button", { name: "Revoke" })
      .click();
    await page.getByRole("status").waitFor();
    expect((await callMcp(app.origin, tokens.access_token)).status).toBe(401);
    expect(errors.filter((error) => !error.startsWith("Failed to load resource"))).toEqual([]);
    await page.close();
  });

  it("shows every page, light and dark, wide and narrow", async () => {
    const first = await app.addWorkspace({ name: "Contoso Europe GmbH" });
    const second = await app.addWorkspace({ name: "Fabrikam Ltd" });
    const person = await app.addPerson(first.id, { email: "grace@contoso.example.com" });
    await app.addPerson(second.id, { role: "member", email: person.email });
    const other = await app.addPerson(first.id, { role: "member", email: "edsger@contoso.example.com" });
    for (const email of [person.email, person.email, other.email])
      await signInAndApprove(app.origin, { email, password: PASSWORD, workspace: first.id });
    await signInAndApprove(app.origin, { email: person.email, password: PASSWORD, workspace: second.id });
    const closed = await app.addWorkspace({ name: "Small Plan Inc", assistantAccess: false });
    const nobody = await app.addPerson(closed.id, { email: "alan@small.example.com" });

    for (const look of [
      { name: "light-wide", dark: false, width: 1100 },
      { name: "dark-narrow", dark: true, width: 380 },
    ]) {
      const { page, errors } = await newPage(look);
      await page.goto(app.origin);
      await picture(page, `welcome-${look.name}`);
      await page.goto(`${app.origin}/connections`);
      await page.getByLabel("Email").fill(person.email);
      await page.getByLabel("Password").fill(PASSWORD);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "Assistant connections" }).waitFor();
      await page.getByRole("button", { name: "Revoke" }).first().click();
      await page.getByRole("status").waitFor();
      await picture(page, `connections-${look.name}`);
      await page.goto((await request("An assistant with a rather long name, made by some company")).url);
      await picture(page, `consent-several-${look.name}`);
      await page.goto(app.origin);
      await picture(page, `home-${look.name}`);
      await page.goto(`${app.origin}/signout`);
      await picture(page, `signout-${look.name}`);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.goto((await request("Claude")).url);
      await page.getByLabel("Email").fill(nobody.email);
      await page.getByLabel("Password").fill(PASSWORD);
      await page.getByRole("button", { name: "Sign in" }).click();
      await picture(page, `nowhere-${look.name}`);
      await page.goto(`${app.origin}/oauth/authorize?client_id=nobody`);
      await picture(page, `error-${look.name}`);
      const overflow = await page.evaluate(
        "document.documentElement.scrollWidth > document.documentElement.clientWidth",
      );
      expect(overflow).toBe(false);
      expect(errors.filter((error) => !error.startsWith("Failed to load resource"))).toEqual([]);
      await page.close();
    }
  });

  it("no page of ours can be put in a frame", async () => {
    const { page } = await newPage();
    const host = await listen(
      express().get("/", (_request, response) => void response.send(`<iframe src="${app.origin}/signin"></iframe>`)),
    );
    await page.goto(host.url);
    await page.waitForTimeout(300);
    const framed = page.frames().find((frame) => frame !== page.mainFrame());
    expect(await framed?.getByLabel("Email").count()).toBe(0);
    await page.close();
    await host.close();
  });
});

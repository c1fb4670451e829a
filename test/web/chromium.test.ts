import express from "express";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AuthApp, PASSWORD, startAuthApp } from "../support/auth-app.ts";
import { HAS_CHROMIUM, launchChromium } from "../support/chromium.ts";
import { testCore } from "../support/core.ts";
import { listen } from "../support/http.ts";
import { authorizationUrl, callMcp, pkce, redeem, register } from "../support/oauth-client.ts";
import { openAStore } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";

/** In real Chromium: the policies that only a browser enforces. */
describe.skipIf(!HAS_CHROMIUM)("a person with a real browser", () => {
  const opened = useStore(openAStore);
  let app: AuthApp;
  let browser: Browser;
  let client: { url: string; close(): Promise<void>; answers: URL[] };

  beforeAll(async () => {
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
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await client?.close();
    await app?.close();
  });

  async function newPage(): Promise<{ page: Page; errors: string[] }> {
    const page = await browser.newPage({ viewport: { width: 1100, height: 800 } });
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
    await page.getByLabel("Email").fill(person.email);
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();

    await page.getByRole("heading", { name: "Connect Claude to Northwind Traders?" }).waitFor();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText("You can close this window").waitFor();

    const code = client.answers.at(-1)?.searchParams.get("code") ?? "";
    const tokens = await redeem(app.origin, registered, { code, verifier, redirectUri });
    expect((await callMcp(app.origin, tokens.access_token)).status).toBe(200);

    await page.goto(`${app.origin}/connections`);
    await page
      .getByRole("row", { name: /Claude/ })
      .getByRole("button", { name: "Revoke" })
      .click();
    await page.getByRole("status").waitFor();
    expect((await callMcp(app.origin, tokens.access_token)).status).toBe(401);
    expect(errors.filter((error) => !error.startsWith("Failed to load resource"))).toEqual([]);
    await page.close();
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

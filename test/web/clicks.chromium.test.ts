import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { describe, expect, it, vi } from "vitest";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { setCustomerMailing } from "../../src/core/customers/operations/customer-mailing.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { openBook } from "../support/book.ts";
import { HAS_CHROMIUM } from "../support/chromium.ts";
import { listen } from "../support/http.ts";
import { authorizationUrl, pkce, redeem, register } from "../support/oauth-client.ts";
import { peopleOf } from "../support/people.ts";
import { signedInPage } from "../support/signed-in-page.ts";
import { rowsOf } from "../support/stored.ts";
import { useBrowser } from "./sights.ts";

/** Clicks a button twice, wherever the first click leads meanwhile. */
async function clickTwice(page: Page, name: string, gapMs: number) {
  const button = page.getByRole("button", { name, exact: true });
  await button.scrollIntoViewIfNeeded();
  const { x = 0, y = 0 } = (await button.boundingBox()) ?? {};
  await page.mouse.click(x + 5, y + 5);
  await sleep(gapMs);
  await page.mouse.click(x + 5, y + 5);
}

describe.skipIf(!HAS_CHROMIUM)("pages in a browser", () => {
  const seen = useBrowser();

  /** An admin of a workspace of their own, signed in. */
  async function signedIn() {
    const people = peopleOf(seen().service.core);
    const { email } = await people.addPerson((await people.addWorkspace()).id);
    return signedInPage(seen().browser, seen().service.url, email);
  }

  it("take a double click as one: a secret that is shown once is shown [pages.run.double-click]", async () => {
    const page = await signedIn();
    await page.route("**/api-keys/*", async (route) => {
      const response = await route.fetch();
      await sleep(500);
      await route.fulfill({ response });
    });
    await page.goto(`${seen().service.url}/api-keys`);
    await page.getByLabel("Name").fill("Reporting");
    await clickTwice(page, "Create key", 250);
    await page.locator('[data-copy="the key"]').waitFor({ timeout: 10_000 });
  });

  it("send a form once, also where the answer takes long and the button is pressed again after a while [pages.run.double-click]", async () => {
    const page = await signedIn();
    let posts = 0;
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    await page.route("**/api-keys/*", async (route) => {
      posts += 1;
      await answered;
      await route.continue();
    });
    await page.goto(`${seen().service.url}/api-keys`);
    await page.getByLabel("Name").fill("Reporting");
    await clickTwice(page, "Create key", 5_500);
    await sleep(300);
    answer();
    await page.locator('[data-copy="the key"]').waitFor({ timeout: 10_000 });
    expect(posts).toBe(1);
  });

  it("carry out nothing by the second click that comes under the pointer on the next page [pages.run.double-click]", async () => {
    const { core, url } = seen().service;
    const people = peopleOf(core);
    const { id: tenantId } = await people.addWorkspace();
    for (const name of ["first", "second"])
      await operate(core, tenantId, createApiKey, { name, permission: "readonly" });
    const page = await signedInPage(seen().browser, url, (await people.addPerson(tenantId)).email);
    await page.clock.setFixedTime("2026-03-01T09:00:00Z");
    await page.goto(`${url}/api-keys`);
    const { x = 0, y = 0 } = (await page.getByRole("button", { name: "Revoke" }).first().boundingBox()) ?? {};
    const revoked = async () => {
      const keys = await rowsOf(core.store, tenantId, "api_keys");
      return keys.filter(({ revoked_at: at }) => at !== null).length;
    };
    await page.mouse.click(x + 5, y + 5);
    await page.getByRole("status").waitFor();
    const place = `{ position: "fixed", left: "${x}px", top: "${y}px" }`;
    await page.evaluate(
      `Object.assign([...document.querySelectorAll("button")].find((one) => one.textContent === "Revoke").style, ${place})`,
    );
    await page.mouse.click(x + 5, y + 5);
    await sleep(500);
    expect(await revoked()).toBe(1);
    await page.clock.setFixedTime("2026-03-01T09:00:01Z");
    await page.mouse.click(x + 5, y + 5);
    await vi.waitFor(async () => expect(await revoked()).toBe(2));
  });

  it("answer a connection request once, and the assistant gets its code [contract.pages.consent-once]", async () => {
    const { service } = seen();
    const codes: string[] = [];
    const client = await listen((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://client");
      if (pathname === "/callback") codes.push(searchParams.get("code") ?? "");
      setTimeout(() => response.end("connected"), 400);
    });
    const page = await signedIn();
    const redirectUri = `${client.url}/callback`;
    const assistant = await register(service.url, { redirect_uris: [redirectUri] });
    for (const gapMs of [20, 80, 150, 300]) {
      codes.length = 0;
      const { verifier, challenge } = pkce();
      await page.goto(authorizationUrl(service.url, assistant, challenge, { redirect_uri: redirectUri }));
      await clickTwice(page, "Allow", gapMs);
      await page.getByText("connected", { exact: true }).waitFor();
      expect(codes, `${gapMs} ms`).toHaveLength(1);
      await redeem(service.url, assistant, { code: codes[0] ?? "", verifier, redirectUri });
    }
    await client.close();
  });

  it("show boxes as they are stored by then after Back [pages.run.unseen]", async () => {
    const { core, url } = seen().service;
    const book = await openBook(core.store);
    const { customer_id: customerId } = await book.customer({ name: "Globex" });
    const { email } = await peopleOf(core).addPerson(book.tenantId);
    const page = await signedInPage(seen().browser, url, email);
    await page.goto(`${url}/mails/${book.tenantId}/customers/${customerId}`);
    const box = page.getByLabel("Do not mail this customer");
    expect(await box.isChecked()).toBe(false);
    await page.getByRole("link", { name: "See the customer" }).click();
    await page.waitForURL("**/customers/**");
    await operate(core, book.tenantId, setCustomerMailing, { customerId, noMail: true });
    await page.goBack();
    expect(await box.isChecked()).toBe(true);
  });
});

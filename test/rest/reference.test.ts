import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROUTES } from "../../src/rest/routes.ts";
import { HAS_CHROMIUM, launchChromium } from "../support/chromium.ts";
import { testCore } from "../support/core.ts";
import { look } from "../support/looks.ts";
import { keepAnswers } from "../support/markup.ts";
import { openRestApp, type RestApp, send } from "../support/rest-app.ts";
import { IS_THOROUGH, openAStore } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";

/** Operations of one method that are folded up look the same: of sixty, one of each and those that are open are enough. */
const ONE_OF_EACH = `for (const method of ["get", "post", "put", "patch", "delete"])
  [...document.querySelectorAll(".opblock-" + method + ":not(.is-open)")].slice(1).forEach((one) => one.remove())`;

describe("the reference", () => {
  const opened = useStore(openAStore);
  let app: RestApp;
  let browser: Browser | undefined;

  beforeAll(async () => {
    app = await openRestApp(testCore(opened.store));
  });
  afterAll(async () => {
    await browser?.close();
    await app.close();
  });

  it("serves the description to anybody, readable from other origins [service.9.description]", async () => {
    const { status, headers, body } = await send(`${app.url}/openapi.json`);
    expect(status).toBe(200);
    expect(headers.get("Content-Type")).toMatch(/^application\/json/);
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(body).toMatchObject({ openapi: "3.1.0", servers: [{ url: "https://receivables.example.test" }] });
  });

  it("lets nothing run that is not our own file", async () => {
    const { headers, text } = await send(`${app.url}/docs`);
    const policy = headers.get("Content-Security-Policy") ?? "";
    expect(policy).toMatch(/default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    for (const [, address = ""] of text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect(address).toMatch(/^\//);
      // The way back to the pages, which are served elsewhere.
      if (address === "/") continue;
      expect((await send(`${app.url}${address}`)).status, address).toBe(200);
    }
    expect((await send(`${app.url}/docs/index.html`)).status).toBe(404);
  });

  describe.skipIf(!HAS_CHROMIUM)("in a browser", () => {
    it("shows every operation, fetches nothing from outside and breaks no rule of its own or of axe [facts.pages.accessible] [service.9.reference]", async () => {
      browser = await launchChromium();
      const page = keepAnswers(await browser.newPage());
      const elsewhere: string[] = [];
      const complaints: string[] = [];
      page.on("request", (request) => {
        if (!request.url().startsWith(app.url) && !request.url().startsWith("data:")) elsewhere.push(request.url());
      });
      page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(error.message));
      await page.goto(`${app.url}/docs`);
      await page.locator("#operations-Aging-listAgingInstallments").waitFor();
      await page.locator("#operations-Invoices-listInvoices button").first().click();
      await page.getByText("has_active_payment_link").first().waitFor();
      expect(await page.locator(".opblock").count()).toBe(ROUTES.length);
      const summaries = await page.locator(".opblock-summary-description").allTextContents();
      expect(summaries.filter((text) => text.endsWith("(an admin key)"))).toHaveLength(
        ROUTES.filter(({ operation }) => operation.permission === "admin").length,
      );
      expect(summaries.filter((text) => text.endsWith("(any key)"))).toHaveLength(
        ROUTES.filter(({ operation }) => operation.permission === "readonly").length,
      );
      expect(elsewhere).toEqual([]);
      expect(complaints).toEqual([]);
      await page.locator(".opblock-post button").first().click();
      await page.getByText("Responses").first().waitFor();
      const [post] = ROUTES.filter(({ method }) => method === "POST");
      expect(await page.locator(".opblock-post .opblock-description-wrapper").first().innerText()).toContain(
        `Side effects: ${post?.operation.sideEffects}`,
      );
      if (!IS_THOROUGH) await page.evaluate(ONE_OF_EACH);
      expect(await look(page, "docs")).toEqual([]);
    });
  });
});

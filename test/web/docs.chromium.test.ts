import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { GUIDES } from "../../src/web/docs/guides.ts";
import { HAS_CHROMIUM } from "../support/chromium.ts";
import { look } from "../support/looks.ts";
import { keepAnswers } from "../support/markup.ts";
import { unfold, useBrowser } from "./sights.ts";

/** Operations look alike: of thirty, a few are enough, and all would take minutes. */
const A_FEW = `document.querySelectorAll(".operation").forEach((one) => {
  if (!["getApiContext", "listPaymentLinks", "createPaymentLink"].includes(one.id)) one.remove();
})`;

/** Operations at whose address something covers the bar. */
const COVERED = `[...document.querySelectorAll(".operation")].flatMap((one) => {
  one.scrollIntoView({ behavior: "instant" });
  const { bottom } = document.querySelector("header.top").getBoundingClientRect();
  const isBar = (y) => document.elementFromPoint(195, y).closest("header.top") !== null;
  return [2, bottom / 2, bottom - 2].every(isBar) ? [] : [one.id];
})`;

/** Names in heads of tables that go on in a second line. */
const BROKEN = `[...document.querySelectorAll("th code")].flatMap((one) =>
  one.getClientRects().length > 1 ? [one.textContent] : [])`;

describe.skipIf(!HAS_CHROMIUM)("the documentation, and what people copy", () => {
  const seen = useBrowser();
  let page: Page;
  const strays: string[] = [];
  const complaints: string[] = [];
  beforeAll(async () => {
    page = keepAnswers(await seen().browser.newPage());
    page.on("request", (request) => {
      if (!request.url().startsWith(seen().service.url)) strays.push(request.url());
    });
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
  });

  it("finds operations and parts of guides by their words, wide and narrow [completions.13.guides]", async () => {
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${seen().service.url}/docs/guides/errors`);
      await page.keyboard.press("/");
      await page.keyboard.type("withdraw nonsense");
      await page.getByText("Nothing found.").waitFor();
      await page.locator("#search").fill("withdraw link");
      await page.locator("#found a", { hasText: "Withdraw a payment link" }).waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL("**/docs#deactivatePaymentLink");
      expect(await page.locator("#deactivatePaymentLink h3").isVisible()).toBe(true);
    }
  });

  it("marks where one is, and prints what is folded [completions.13.guides]", async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${seen().service.url}/docs#listPayments.200.data.amount`);
    await page.locator('#entries a[href="/docs#listPayments"][aria-current]').waitFor();
    const folded = page.locator("#getApiContext details", { hasText: "Answer 200" }).locator("ul").first();
    await page.emulateMedia({ media: "print" });
    expect(await folded.isVisible()).toBe(true);
    expect(await page.locator(".docs .copy").first().isVisible()).toBe(false);
    await page.emulateMedia({ media: null });
  });

  it("has a button that puts it on the clipboard [pages.look.copy]", async () => {
    const context = await seen().browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await page.goto(`${seen().service.url}/mcp`);
    const copied = () => page.evaluate("navigator.clipboard.readText()");
    await page.getByRole("button", { name: "Copy the address" }).click();
    await expect.poll(copied).toBe(`${seen().service.url}/mcp`);
    await page.getByRole("button", { name: "Copy the command for Claude Code" }).click();
    await expect.poll(copied).toBe(`claude mcp add --transport http receivables ${seen().service.url}/mcp`);
    expect(errors).toEqual([]);
    await context.close();
  });

  it("is plain text without JavaScript [pages.look.copy]", async () => {
    const page = await (await seen().browser.newContext({ javaScriptEnabled: false })).newPage();
    await page.goto(`${seen().service.url}/mcp`);
    await page.getByText(`${seen().service.url}/mcp`, { exact: true }).first().waitFor();
    expect(await page.getByRole("button").count()).toBe(0);
  });

  it("keeps its bar above the titles of operations, and names in heads of tables whole [completions.13.guides]", async () => {
    await page.setViewportSize({ width: 390, height: 900 });
    await page.goto(`${seen().service.url}/docs`);
    expect(await page.evaluate(COVERED)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    for (const name of GUIDES) {
      await page.goto(`${seen().service.url}/docs/guides/${name}`);
      expect(await page.evaluate(BROKEN), name).toEqual([]);
    }
  });

  it.each(["/docs", ...GUIDES.map((name) => `/docs/guides/${name}`)])(
    "%s fetches nothing from outside, breaks no rule of its own or of axe, and fits [facts.pages.accessible]",
    async (path) => {
      await page.goto(seen().service.url + path);
      if (path === "/docs") await page.evaluate(A_FEW);
      await unfold(page);
      expect(await look(page, path.slice(1).replaceAll("/", "-"))).toEqual([]);
      expect(strays).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );
});

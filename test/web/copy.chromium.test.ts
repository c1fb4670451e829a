import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HAS_CHROMIUM, launchChromium } from "../support/chromium.ts";
import { type RunningService, startService } from "../support/service.ts";
import { A_KIND } from "../support/stores.ts";

describe.skipIf(!HAS_CHROMIUM)("what people copy", () => {
  let service: RunningService;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(A_KIND), launchChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  it("has a button that puts it on the clipboard [pages.look.copy]", async () => {
    const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await page.goto(`${service.url}/mcp`);
    const copied = () => page.evaluate("navigator.clipboard.readText()");
    await page.getByRole("button", { name: "Copy the address" }).click();
    await expect.poll(copied).toBe(`${service.url}/mcp`);
    await page.getByRole("button", { name: "Copy the command for Claude Code" }).click();
    await expect.poll(copied).toBe(`claude mcp add --transport http receivables ${service.url}/mcp`);
    expect(errors).toEqual([]);
    await context.close();
  });

  it("is plain text without JavaScript [pages.look.copy]", async () => {
    const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await page.goto(`${service.url}/mcp`);
    await page.getByText(`${service.url}/mcp`, { exact: true }).first().waitFor();
    expect(await page.getByRole("button").count()).toBe(0);
  });
});

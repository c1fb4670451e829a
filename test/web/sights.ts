import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { doneMark } from "../support/browser.ts";
import { launchChromium } from "../support/chromium.ts";
import { look } from "../support/looks.ts";
import { type RunningService, startService } from "../support/service.ts";
import { A_KIND } from "../support/stores.ts";

/** What somebody does on a page. */
export type Do = (page: Page) => Promise<unknown>;
/** Who sees it, what it is called, where it is, and what they do there before it is looked at. */
export type Sight<Who> = readonly [who: Who, name: string, path: string | (() => string | Promise<string>), first?: Do];

interface Seen {
  readonly service: RunningService;
  readonly browser: Browser;
}

/** A service and a browser for the tests of a block. */
export function useBrowser(): () => Seen {
  let seen: Seen;
  beforeAll(async () => {
    const [service, browser] = await Promise.all([startService(A_KIND), launchChromium()]);
    seen = { service, browser };
  });
  afterAll(async () => {
    await seen?.browser.close();
    await seen?.service.close();
  });
  return () => seen;
}

/** Has each sight looked at by whose it is: it is good for everybody, small, and asks for nothing elsewhere. */
export function seeEach<Who extends string>(
  seen: () => Seen,
  people: () => Readonly<Record<Who, Page>>,
  sights: readonly Sight<Who>[],
): void {
  it.each(sights.map(([who, name, path, first]) => ({ who, name, path, first })))(
    "$who sees $name [facts.pages.accessible]",
    async ({ who, name, path, first }) => {
      const page = people()[who];
      const { url } = seen().service;
      const strays: string[] = [];
      page.on("request", (request) => {
        if (new URL(request.url()).origin !== url) strays.push(request.url());
      });
      const shown = typeof path === "string" ? path : await path();
      if (shown.includes("done=")) await page.context().addCookies([{ name: "done", value: doneMark(shown), url }]);
      const answer = await page.goto(new URL(shown, url).href);
      expect((await answer?.body())?.byteLength).toBeLessThan(100_000);
      await first?.(page);
      expect(await look(page, name)).toEqual([]);
      expect(strays).toEqual([]);
    },
  );
}

/** Presses the first button of that name; waits for what is said then. */
export const press =
  (name: string, then: "alert" | "status" | null = null): Do =>
  async (page) => {
    await page.getByRole("button", { name }).first().click();
    if (then !== null) await page.getByRole(then).first().waitFor();
  };

/** Opens all that is folded. */
export const unfold: Do = (page) =>
  page.evaluate(`document.querySelectorAll("details").forEach((one) => { one.open = true; })`);

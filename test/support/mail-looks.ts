import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page, Request } from "playwright-core";
import { IS_THOROUGH } from "./thorough.ts";

const PICTURES = join(import.meta.dirname, "../.screenshots");

/** How much wider than its window a mail is, how much markup came of names, and whether a script ran. */
const LOOK = `(() => {
  const { scrollWidth, clientWidth, dataset } = document.documentElement;
  const evil = document.querySelectorAll("script, img:not([alt]), a[href*=evil]").length;
  return { wide: scrollWidth - clientWidth, evil, ran: dataset.ran !== undefined };
})()`;

/** The windows of mail programs: narrow and dark, wide and light. */
export type Screens = readonly { page: Page; width: number }[];

export async function openScreens(browser: Browser): Promise<Screens> {
  const open = async (width: number, colorScheme: "light" | "dark") => ({
    page: await browser.newPage({ viewport: { width, height: 700 }, colorScheme }),
    width,
  });
  mkdirSync(PICTURES, { recursive: true });
  return [await open(320, "dark"), await open(640, "light")];
}

/** What is wrong with a mail, as mail programs of two widths and both colors show it. */
export async function problemsOf(screens: Screens, html: string, name: string): Promise<string[]> {
  const problems: string[] = [];
  const onRequest = (request: Request): void => {
    if (!/^(cid|data):/.test(request.url())) problems.push(`${name} loads ${request.url()}`);
  };
  for (const { page, width } of screens) {
    page.on("request", onRequest);
    await page.setContent(html);
    const { wide, evil, ran }: { wide: number; evil: number; ran: boolean } = await page.evaluate(LOOK);
    if (wide > 0) problems.push(`${name} is ${wide} px too wide at ${width}`);
    if (ran) problems.push(`${name} runs a script`);
    if (evil > 0) problems.push(`${name} has markup of a name`);
    if (IS_THOROUGH) await page.screenshot({ path: join(PICTURES, `mail-${name}-${width}.png`), fullPage: true });
    page.off("request", onRequest);
  }
  return problems;
}

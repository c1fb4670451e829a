import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { FONTS } from "./chromium.ts";
import { wrongMarkup } from "./markup.ts";
import { IS_THOROUGH, times } from "./thorough.ts";

const SCREENSHOTS = join(import.meta.dirname, "../.screenshots");
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** What is right needs no description. */
const EVERY_RULE = { resultTypes: ["violations"] };
/** Of all rules, those on contrast alone depend on colors, and these on the width. */
const RULES_OF_LOOKS = {
  ...EVERY_RULE,
  runOnly: { type: "rule", values: ["color-contrast", "scrollable-region-focusable"] },
};
/** Three looks cover both colors and all layouts. The long way takes every combination, and every rule once more. */
const LOOKS = (
  [
    { name: "light-wide", colorScheme: "light", width: 1280, everyRule: true },
    { name: "dark-narrow", colorScheme: "dark", width: 320, everyRule: IS_THOROUGH },
    { name: "light-medium", colorScheme: "light", width: 768, everyRule: false },
    { name: "dark-wide", colorScheme: "dark", width: 1280, everyRule: false },
    { name: "dark-medium", colorScheme: "dark", width: 768, everyRule: false },
    { name: "light-phone", colorScheme: "light", width: 390, everyRule: IS_THOROUGH },
    { name: "dark-phone", colorScheme: "dark", width: 390, everyRule: false },
    { name: "light-narrow", colorScheme: "light", width: 320, everyRule: false },
  ] as const
).slice(0, times(3, 8));

/** What axe found, as it says it; by font, what a person would have to scroll sideways, and amounts whose digits are on two lines. */
interface Findings {
  violations: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[];
  misfits: string[];
}

/**
 * Runs axe. Of rows that differ in their texts only it examines three of each kind, unless the run is thorough; the others are
 * taken out of the page meanwhile, because axe is slow even with what it leaves out.
 */
export const RUN_AXE = `async (options) => {
  const lists = new Map();
  const seen = new Map();
  for (const row of document.querySelectorAll("tbody > tr, .rows > li")) {
    const shape = [row, ...row.querySelectorAll("*")].map((one) => one.tagName + one.getAttribute("class")).join();
    const earlier = seen.get(shape) ?? 0;
    seen.set(shape, earlier + 1);
    if (earlier < ${times(3, 10_000)}) continue;
    const list = row.parentNode;
    if (!lists.has(list)) lists.set(list, [...list.childNodes]);
    row.remove();
  }
  const { violations } = await axe.run(document, options);
  for (const [list, nodes] of lists) list.replaceChildren(...nodes);
  return violations;
}`;

const findings = (everyRule: boolean): string => `(async () => {
  const violations = await (${RUN_AXE})(${JSON.stringify(everyRule ? EVERY_RULE : RULES_OF_LOOKS)});
  const root = document.documentElement;
  const lines = (text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  };
  const misfits = ${JSON.stringify(FONTS)}.flatMap((font) => {
    document.body.style.fontFamily = JSON.stringify(font);
    const wide = [root, ...document.querySelectorAll(".wide")].filter((one) => one.scrollWidth > one.clientWidth);
    const digits = [...document.querySelectorAll("data.amount, data.count")].flatMap(({ childNodes }) => [...childNodes]);
    const broken = digits.filter((node) => node.nodeType === 3 && lines(node) > 1);
    return [
      ...wide.map((one) => font + ": needs " + one.scrollWidth + " px of " + one.clientWidth + ": " + one.textContent.trim().slice(0, 60)),
      ...broken.map(({ data }) => font + ": " + data + " is broken within its digits"),
    ];
  });
  document.body.style.fontFamily = "";
  return { violations, misfits };
})()`;

/** A picture of a page to look at, below test/.screenshots; taken the long way alone, for it proves nothing. */
export async function picture(page: Page, name: string): Promise<void> {
  if (IS_THOROUGH) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}

/** Looks at what a page shows now, in every look; answers what is wrong with it and with its markup. */
export async function look(page: Page, name: string): Promise<string[]> {
  const wrong = (await wrongMarkup(page)).map((fault) => `${name}: ${fault}`);
  await page.evaluate(AXE);
  for (const { name: suffix, colorScheme, width, everyRule } of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    const { violations, misfits }: Findings = await page.evaluate(findings(everyRule));
    for (const { id, help, nodes } of violations)
      wrong.push(`${name} ${suffix}: ${id} (${help}): ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
    wrong.push(...misfits.map((misfit) => `${name} ${suffix}, ${misfit}`));
    await picture(page, `${name}-${suffix}`);
  }
  if (IS_THOROUGH) wrong.push(...(await walkByKeyboard(page)).map((fault) => `${name}: ${fault}`));
  return wrong;
}

/** What a person can act on. */
const STOPS = "a[href], button:not([tabindex='-1']), input:not([type=hidden]), select, textarea, summary";
const COUNT_STOPS = `[...document.querySelectorAll("${STOPS}")].filter((one) => one.checkVisibility() && !one.disabled).length`;
/** Numbers each stop when it is reached; says which, and whether a sighted person sees where they are. */
const AT_STOP = `(() => {
  const at = document.activeElement;
  if (at === null || at === document.body || !at.matches("${STOPS}")) return null;
  at.dataset.stop ??= String(document.querySelectorAll("[data-stop]").length + 1);
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  return { number: at.dataset.stop, isSeen: outlineStyle !== "none" && outlineWidth !== "0px", what: at.outerHTML.slice(0, 120) };
})()`;
/** Stops inside one field, such as the day, month and year of a date. */
const MOST_WITHIN = 6;

/** Goes through a page with the Tab key; answers what is out of reach, or reached unseen. */
export async function walkByKeyboard(page: Page): Promise<string[]> {
  const stops: number = await page.evaluate(COUNT_STOPS);
  const wrong: string[] = [];
  const reached = new Set<string>();
  await page.evaluate("document.activeElement?.blur()");
  for (let press = 0; press < stops * MOST_WITHIN && reached.size < stops; press += 1) {
    await page.keyboard.press("Tab");
    const at: { number: string; isSeen: boolean; what: string } | null = await page.evaluate(AT_STOP);
    if (at === null) continue;
    if (!reached.has(at.number) && !at.isSeen) wrong.push(`no outline shows that one is at ${at.what}`);
    reached.add(at.number);
  }
  if (reached.size < stops) wrong.push(`${stops - reached.size} of ${stops} are out of the keyboard's reach`);
  return wrong;
}

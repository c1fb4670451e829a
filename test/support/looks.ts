import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Page } from "playwright-core";
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
/** Three looks cover both colors and all widths. The long way takes every combination, and every rule once more. */
const LOOKS = (
  [
    { name: "light-wide", colorScheme: "light", width: 1280, everyRule: true },
    { name: "dark-narrow", colorScheme: "dark", width: 320, everyRule: IS_THOROUGH },
    { name: "light-medium", colorScheme: "light", width: 768, everyRule: false },
    { name: "dark-wide", colorScheme: "dark", width: 1280, everyRule: false },
    { name: "light-narrow", colorScheme: "light", width: 320, everyRule: false },
  ] as const
).slice(0, times(3, 5));

/** What axe found, as it says it, and whether a person would have to scroll sideways. */
interface Findings {
  violations: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[];
  overflows: boolean;
}

const findings = (everyRule: boolean): string => `(async () => {
  const { violations } = await axe.run(document, ${JSON.stringify(everyRule ? EVERY_RULE : RULES_OF_LOOKS)});
  const { scrollWidth, clientWidth } = document.documentElement;
  const tables = [...document.querySelectorAll(".wide")].some((one) => one.scrollWidth > one.clientWidth);
  return { violations, overflows: tables || scrollWidth > clientWidth };
})()`;

/** A picture of a page to look at, below test/.screenshots; taken the long way alone, for it proves nothing. */
export async function picture(page: Page, name: string): Promise<void> {
  if (IS_THOROUGH) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}

/** Looks at what a page shows now, in every look; answers what is wrong with it. */
export async function look(page: Page, name: string): Promise<string[]> {
  const wrong: string[] = [];
  await page.evaluate(AXE);
  for (const { name: suffix, colorScheme, width, everyRule } of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    const { violations, overflows }: Findings = await page.evaluate(findings(everyRule));
    for (const { id, help, nodes } of violations)
      wrong.push(`${name} ${suffix}: ${id} (${help}): ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
    if (overflows) wrong.push(`${name} ${suffix}: something is wider than it has room for`);
    await picture(page, `${name}-${suffix}`);
  }
  return wrong;
}

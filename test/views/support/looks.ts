import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { z } from "zod";
import { RUN_AXE } from "../../support/looks.ts";
import { IS_THOROUGH, times } from "../../support/thorough.ts";
import type { ShownView } from "./host.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SCREENSHOTS = join(import.meta.dirname, "../../.screenshots");
const LOOKS = [
  { theme: "light", width: 800 },
  { theme: "dark", width: 320 },
  { theme: "light", width: 320 },
  { theme: "dark", width: 800 },
  { theme: "light", width: 560 },
] as const;

const Found = z.object({
  violations: z.array(z.object({ id: z.string(), help: z.string(), nodes: z.array(z.object({ html: z.string() })) })),
  overflows: z.boolean(),
  small: z.array(z.string()),
});

/** What axe finds, whether a person would have to scroll sideways, and what is too small to touch. */
const FIND = `(async () => {
  const violations = await (${RUN_AXE})({ resultTypes: ["violations"] });
  const { scrollWidth, clientWidth } = document.documentElement;
  const small = [...document.querySelectorAll("button, input, select, summary, a")].filter((one) => {
    const { width, height } = one.getBoundingClientRect();
    return one.checkVisibility() && (width < 44 || height < 44);
  }).map((one) => one.outerHTML.slice(0, 120));
  return { violations, overflows: scrollWidth > clientWidth, small };
})()`;

/** Looks at a view light and dark, narrow and wide; answers what is wrong with it. */
export async function lookAt(view: ShownView, name: string, looks = times(2, LOOKS.length)): Promise<string[]> {
  const wrong: string[] = [];
  await view.frame.evaluate(AXE);
  for (const { theme, width } of LOOKS.slice(0, looks)) {
    await view.page.setViewportSize({ width, height: 900 });
    await view.bridge.sendHostContextChange({ theme });
    const scheme = `getComputedStyle(document.documentElement).colorScheme`;
    for (let tries = 0; tries < 50 && (await view.frame.evaluate(scheme)) !== theme; tries += 1)
      await view.page.waitForTimeout(20);
    if ((await view.frame.evaluate(scheme)) !== theme) wrong.push(`${name}: the theme is not ${theme}`);
    const { violations, overflows, small } = Found.parse(await view.frame.evaluate(FIND));
    const look = `${name} ${theme} ${width}`;
    for (const { id, help, nodes } of violations)
      wrong.push(`${look}: ${id} (${help}): ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
    if (overflows) wrong.push(`${look}: something is wider than it has room for`);
    wrong.push(...small.map((html) => `${look}: smaller than 44 px: ${html}`));
    if (IS_THOROUGH) await view.page.screenshot({ path: join(SCREENSHOTS, `view-${name}-${theme}-${width}.png`) });
  }
  return wrong;
}

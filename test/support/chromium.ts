import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const PATH = "/usr/bin/chromium";

/** Whether the machine has a real browser to test in. */
export const HAS_CHROMIUM = existsSync(PATH);

/** A real browser of the test's own. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: PATH, args: ["--no-sandbox", "--disable-gpu"] });
}

/** The fonts that most machines show a page in, from the widest on: a page has to fit whichever it gets. */
export const FONTS = ["DejaVu Sans", "Noto Sans", "Liberation Sans"];

/** Those of them that this machine lacks; their places are taken by the one it shows instead. */
export function missingFonts(): string[] {
  const { stdout } = spawnSync("fc-list", [":", "family"], { encoding: "utf8" });
  const families = (stdout ?? "").split(/[,\n]/);
  return FONTS.filter((font) => !families.includes(font));
}

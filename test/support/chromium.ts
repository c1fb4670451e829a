import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const PATH = "/usr/bin/chromium";

/** Whether the machine has a real browser to test in. */
export const HAS_CHROMIUM = existsSync(PATH);

/** A real browser of the test's own. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: PATH, args: ["--no-sandbox", "--disable-gpu"] });
}

/** `npm test`: types, lint, then every test; the last lines say what was left out for want of a part. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const steps: ReadonlyArray<readonly [string, string[]]> = [
  ["tsc", ["--noEmit"]],
  ["biome", ["check", "--error-on-warnings", "."]],
  ["vitest", ["run"]],
];

for (const [program, args] of steps) {
  const { status } = spawnSync(program, args, { stdio: "inherit", shell: false });
  if (status !== 0) process.exit(status ?? 1);
}

const missing = [
  existsSync("/usr/bin/chromium") ? [] : ["browser tests: no Chromium at /usr/bin/chromium"],
  existsSync("../shared/data/accounts-receivable-2466.csv")
    ? []
    : ["the run on a real book: no data file beside the project"],
].flat();
process.stdout.write(
  missing.length === 0 ? "\nNothing was left out.\n" : `\nLeft out:\n${missing.map((m) => `- ${m}\n`).join("")}`,
);

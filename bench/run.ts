/**
 * `npm run bench -- [--quick] [NAME …]`: the benchmarks, each a table with the limits it is held to, and the same as JSON in
 * `bench/results/`. The quick way takes small books and short runs; its figures say that everything works, and little more.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const BENCHMARKS: Readonly<Record<string, () => Promise<{ run(): Promise<boolean> }>>> = {
  aging: () => import("./aging.ts"),
  calls: () => import("./calls.ts"),
  citus: () => import("./citus.ts"),
  large: () => import("./large.ts"),
  lists: () => import("./lists.ts"),
  memory: () => import("./memory.ts"),
  midnight: () => import("./midnight.ts"),
  pages: () => import("./pages.ts"),
  pulls: () => import("./pulls.ts"),
  revocation: () => import("./revocation.ts"),
  starts: () => import("./starts.ts"),
  tenants: () => import("./tenants.ts"),
};

/** Settings of the quick way, by the names under which any can be set. */
const QUICK: Readonly<Record<string, string>> = {
  BENCH_INSTALLMENTS: "3000",
  BENCH_INVOICES: "3000",
  BENCH_CALLS: "10",
  BENCH_ROUNDS: "2",
  BENCH_SECONDS: "1",
  BENCH_PULLED: "2000",
  BENCH_REVOCATIONS: "3",
  BENCH_STARTS: "1",
  BENCH_TENANTS: "120",
  BENCH_SYNC_RUNS: "1000",
  BENCH_ERPS: "25",
  BENCH_REST_SECONDS: "5",
  BENCH_JUDGED: "no",
};

const asked = process.argv.slice(2);
if (asked.includes("--quick")) Object.assign(process.env, { ...QUICK, ...process.env });
const named = asked.filter((word) => word !== "--quick");
/** Takes most of an hour: only by its name. */
const LONG = "large";
const names = named.length > 0 ? named : Object.keys(BENCHMARKS).filter((name) => name !== LONG);

if (!existsSync(new URL("node_modules", import.meta.url))) {
  const { status } = spawnSync("npm", ["ci", "--prefix", import.meta.dirname], { stdio: "inherit" });
  if (status !== 0) process.exit(1);
}
for (const name of names) {
  const load = BENCHMARKS[name];
  if (load === undefined) {
    process.stderr.write(`no benchmark ${name}; there are: ${Object.keys(BENCHMARKS).join(", ")}\n`);
    process.exit(1);
  }
  const begun = performance.now();
  const { run } = await load();
  if (!(await run())) process.exitCode = 1;
  process.stdout.write(`${name} took ${((performance.now() - begun) / 1_000).toFixed(0)} s\n\n`);
}

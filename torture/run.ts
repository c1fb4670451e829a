/** `npm run torture -- [NAME …] [--seed N] [--requests N]`: the kinds of fault, each a line of the table. */
import { parseArgs } from "node:util";
import { seededRandom } from "../src/simulators/fusion/random.ts";
import { type Kind, LONGEST_KIND_MS } from "./kind.ts";

const KINDS: Readonly<Record<string, () => Promise<{ default: Kind }>>> = {
  "processes-killed": () => import("./kinds/processes-killed.ts"),
  "rolling-restart": () => import("./kinds/rolling-restart.ts"),
  "postgres-outage": () => import("./kinds/postgres-outage.ts"),
  "hanging-store": () => import("./kinds/hanging-store.ts"),
  failover: () => import("./kinds/failover.ts"),
  "ha-killed": async () => ({ default: (await import("./kinds/ha.ts")).killed }),
  "ha-frozen": async () => ({ default: (await import("./kinds/ha.ts")).frozen }),
  "ha-switched": async () => ({ default: (await import("./kinds/ha.ts")).switched }),
  "worker-down": () => import("./kinds/worker-down.ts"),
  "erp-faults": () => import("./kinds/erp-faults.ts"),
  "erp-lies": () => import("./kinds/erp-lies.ts"),
  "provider-faults": () => import("./kinds/provider-faults.ts"),
  "hostile-erp": () => import("./kinds/hostile-erp.ts"),
  strangers: () => import("./kinds/strangers.ts"),
  "disk-full": () => import("./kinds/disk-full.ts"),
  "clock-jumps": () => import("./kinds/clock-jumps.ts"),
  "stopped-in-mid-work": () => import("./kinds/stopped-in-mid-work.ts"),
};

const COLUMNS = ["kind", "requests", "lost", "doubled", "cross-tenant", "unlisted", "failed", "cut", "seconds", "seed"];
const WIDTHS = [21, 10, 7, 9, 14, 10, 8, 7, 9, 12];

/** Of what failed, was cut off or was refused, the most frequent. */
const REASONS_SHOWN = 16;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: String(Math.trunc(Date.now() / 1000)) },
    requests: { type: "string", default: "10000" },
  },
});
const seed = Number(values.seed);
const requests = Number(values.requests);
const names = positionals.length > 0 ? positionals : Object.keys(KINDS);
const unknown = names.find((name) => !(name in KINDS));
if (unknown !== undefined || !Number.isSafeInteger(seed) || !Number.isSafeInteger(requests) || requests < 1) {
  process.stderr.write(`usage: npm run torture -- [${Object.keys(KINDS).join("|")}] [--seed N] [--requests N]\n`);
  process.exit(1);
}

// Whatever was started ends with this process, however it ends.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

const line = (cells: readonly unknown[]): string =>
  `${cells.map((cell, n) => (n === 0 ? String(cell).padEnd(WIDTHS[n] ?? 0) : String(cell).padStart(WIDTHS[n] ?? 0))).join("")}\n`;
const minutes = Math.ceil((names.length * LONGEST_KIND_MS) / 60_000);
process.stdout.write(
  `${requests} requests of each kind, seed ${seed}; a kind takes ${LONGEST_KIND_MS / 60_000} minutes at most, all ${minutes}, but for when the machine stands still\n`,
);
process.stdout.write(line(COLUMNS));
for (const name of names) {
  const { default: kind } = (await KINDS[name]?.()) ?? {};
  if (kind === undefined) continue;
  const begun = performance.now();
  const elapsed = (): number => Math.round((performance.now() - begun) / 1000);
  const tell = (progress: string): void => void process.stderr.write(`  … ${name}, ${elapsed()} s: ${progress}\n`);
  const result = await kind.run({ requests, random: seededRandom(seed), tell });
  const seconds = elapsed();
  if ("leftOut" in result) {
    process.stdout.write(`${name.padEnd(WIDTHS[0] ?? 0)}  left out: ${result.leftOut}\n`);
    continue;
  }
  const { lost, doubled, crossTenant, unlisted } = result.wrong;
  const { failed, cut } = result;
  process.stdout.write(line([name, result.requests, lost, doubled, crossTenant, unlisted, failed, cut, seconds, seed]));
  const reasons = [...result.reasons].sort(([, times], [, others]) => others - times);
  for (const [reason, times] of reasons.slice(0, REASONS_SHOWN)) process.stdout.write(`  ${times} times ${reason}\n`);
  for (const note of result.notes) process.stdout.write(`  ${note}\n`);
  for (const sample of result.samples) process.stdout.write(`  ! ${sample}\n`);
  if (!result.passed) process.exitCode = 1;
}

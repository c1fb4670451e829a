import { mkdirSync, writeFileSync } from "node:fs";

/** What a benchmark found: a table for people, and what it is held to. */
export interface Report {
  note: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  limits: readonly { what: string; value: number; most: number }[];
}

/** Where each benchmark leaves its figures as JSON. */
const FOLDER = new URL("results/", import.meta.url);

/** Figures of the quick way are of small books and short runs: they are shown beside the limits, and held to none. */
const isJudged = process.env.BENCH_JUDGED !== "no";

/** How far a long benchmark is, on stderr. */
export function tell(progress: string): void {
  process.stderr.write(`  … ${Math.round(performance.now() / 1_000)} s: ${progress}\n`);
}

/** Prints the table and writes `results/<name>.json`; true when every limit is kept. */
export function report(name: string, { note, columns, rows, limits }: Report): boolean {
  const widths = columns.map((title, at) =>
    Math.max(...[title, ...rows.map((row) => row[at] ?? "")].map((t) => t.length)),
  );
  const line = (cells: readonly string[]): string =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join("  ");
  const verdicts = limits.map((limit) => ({ ...limit, kept: isJudged ? limit.value <= limit.most : null }));
  const text = [
    `${name}: ${note}`,
    line(columns),
    ...rows.map(line),
    ...verdicts.map(
      ({ what, value, most, kept }) => `${verdict(kept)}  ${what}: ${value.toFixed(2)} (at most ${most.toFixed(2)})`,
    ),
  ].join("\n");
  process.stdout.write(`${text}\n\n`);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(
    new URL(`${name}.json`, FOLDER),
    `${JSON.stringify({ name, note, columns, rows, limits: verdicts }, null, 2)}\n`,
  );
  return verdicts.every(({ kept }) => kept !== false);
}

function verdict(kept: boolean | null): string {
  if (kept === null) return "    ";
  return kept ? "kept" : "OVER";
}

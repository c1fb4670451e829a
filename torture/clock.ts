import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const PRELOAD = pathToFileURL(join(import.meta.dirname, "../test/support/shifted-clock.ts")).href;

/** The clock of a fleet, which can be turned. */
export interface Clock {
  /** For the processes whose clock it is. */
  readonly environment: Readonly<Record<string, string>>;
  /** Milliseconds from the true time; whoever reads the clock sees it within a moment. */
  set(aheadMs: number): void;
  remove(): void;
}

/** A clock that is right until it is turned. */
export function turnableClock(): Clock {
  const folder = mkdtempSync(join(tmpdir(), "receivables-clock-"));
  const file = join(folder, "ahead");
  const set = (aheadMs: number): void => {
    writeFileSync(`${file}.new`, String(aheadMs));
    renameSync(`${file}.new`, file);
  };
  set(0);
  return {
    environment: { NODE_OPTIONS: `--import=${PRELOAD}`, CLOCK_FILE: file },
    set,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

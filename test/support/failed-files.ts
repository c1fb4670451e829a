import { writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

/** Leaves the names of the files in which something failed at `FAILED_FILES`, for them to be run once more. */
export default class FailedFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const file = process.env.FAILED_FILES;
    if (file === undefined) return;
    const failed = modules.filter((module) => !["passed", "skipped"].includes(module.state()));
    writeFileSync(file, failed.map((module) => module.relativeModuleId).join("\n"));
  }
}

import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, longest first. */
const LONGEST = [
  "views/views.chromium",
  "store/silent-store",
  "acceptance/cut-off-requests",
  "e2e/first-start",
  "acceptance/collecting-lanes",
  "cluster/ha",
  "web/receivables.chromium",
  "web/accessibility.chromium",
  "jobs/pull-slots",
  "core/aging/model",
  "jobs/claim-costs",
  "store/failover",
  "core/payment-links/hanging",
  "acceptance/collecting-concurrency",
  "e2e/assistant",
  "acceptance/expected-dates",
  "demo/resume",
  "acceptance/collecting-model",
  "views/acts.chromium",
  "auth/immediate-stop",
  "admin/processes",
  "acceptance/crash",
  "acceptance/processes",
  "operation/upgrade",
  "e2e/process",
].map((name) => `/test/${name}.test.ts`);

/** Nobody has measured the files of a clean clone: so that none is still at work when all others are done. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = LONGEST.findIndex((name) => moduleId.endsWith(name));
      return found < 0 ? LONGEST.length : found;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Judges every statement that tests have the service send.
    setupFiles: ["test/support/routable/collect.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    // Nothing is mocked, and Node runs the sources as they are: files can share a process and what it has loaded.
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // As for the service (docs/decisions/34-memory-before-speed.md): V8 may crash where it frees what it compiled of the embedded store.
    execArgv: ["--no-wasm-code-gc"],
    // A machine may be slow, and busy with something else.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
    // Some of their time is spent waiting.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
  },
});

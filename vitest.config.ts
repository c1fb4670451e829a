import { defineConfig } from "vitest/config";

/** What takes long, and most of what needs a browser: `npm run test:all` has these, `npm test` all others. */
const LONG = [
  "acceptance/collecting-*",
  "acceptance/cut-off-requests",
  "acceptance/expected-dates",
  "acceptance/processes",
  "admin/processes",
  "auth/immediate-stop",
  "cluster/*",
  "conformance/*",
  "core/mail/*.chromium",
  "core/payment-links/hanging",
  "demo/*",
  "e2e/first-start",
  "evals/*",
  "generators/*",
  "jobs/claim-costs",
  "jobs/pull-slots",
  "jobs/push-cut-off",
  "operation/balancers",
  "operation/image-built",
  "operation/operator",
  "operation/recipes",
  "store/citus",
  "store/failover",
  "store/full-disk",
  "store/outages",
  "store/silent-store",
  "views/*.chromium",
  "web/*.chromium",
  "web/doors/*",
].map((name) => `test/${name}.test.ts`);
/** `short` and `long` are the parts of `npm test` and `npm run test:all`; without one, any file can be run. */
const part = process.env.TEST_PART;

export default defineConfig({
  test: {
    include: part === "long" ? LONG : ["test/**/*.test.ts"],
    exclude: part === "short" ? LONG : [],
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
    reporters: ["default", "./test/support/failed-files.ts"],
    // Some of their time is spent waiting.
    maxWorkers: 3,
  },
});

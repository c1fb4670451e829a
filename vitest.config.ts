import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    // Nothing is mocked, and Node runs the sources as they are: files can share a process and what it has loaded.
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // A machine may be slow, and busy with something else.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
    // Some of their time is spent waiting.
    maxWorkers: 3,
  },
});

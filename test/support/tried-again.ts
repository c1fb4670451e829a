import type { Reporter, TestCase } from "vitest/node";

/** Names at the end the tests that passed only when they were tried again, which is where to look. */
export default class TriedAgain implements Reporter {
  readonly #names: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky === true) this.#names.push(`${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestRunEnd(): void {
    for (const name of this.#names.splice(0)) process.stdout.write(`Passed when tried again: ${name}\n`);
  }
}

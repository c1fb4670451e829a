import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkScenarios, checkServer, NEXT, STABLE, startFixture } from "./suites.ts";

let endpoint: Awaited<ReturnType<typeof startFixture>>;

beforeAll(async () => {
  endpoint = await startFixture();
});
afterAll(() => endpoint.close());

describe("the official conformance suite, behind our transport", () => {
  it.each([STABLE, NEXT])(
    "passes as of $version, but for what a server without sessions cannot do [facts.mcp.server-conformance]",
    { timeout: 120_000 },
    async (suite) => {
      const { ok, scenarios, printed } = await checkServer(suite, endpoint.url);
      expect(printed).toContain("Baseline check passed");
      expect(ok).toBe(true);
      expect(scenarios).toHaveLength(suite.scenarios);
      const failed = scenarios.filter(({ failed: failures }) => failures > 0).map(({ name }) => name);
      expect(failed).toEqual(["tools-call-sampling", "tools-call-elicitation"]);
    },
  );

  it("passes its scenario of DNS rebinding, of a later revision", async () => {
    const { ok, scenarios } = await checkScenarios(endpoint.url, ["dns-rebinding-protection"]);
    expect(scenarios).toEqual([{ name: "dns-rebinding-protection", passed: 2, failed: 0 }]);
    expect(ok).toBe(true);
  });
});

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify, stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Caller, startEndpoint } from "../mcp/support.ts";
import { conformanceFixture } from "./fixture.ts";

const suite = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url),
);
const expectedFailures = fileURLToPath(new URL("expected-failures.yml", import.meta.url));
const run = promisify(execFile);

const caller: Caller = {
  key: "conformance",
  actor: { kind: "member", tenantId: "t", memberId: "m", role: "member", connectionId: "conformance", scopes: [] },
};

let endpoint: Awaited<ReturnType<typeof startEndpoint>>;

beforeAll(async () => {
  endpoint = await startEndpoint(async (transport) => await conformanceFixture().connect(transport), {
    authenticate: async () => caller,
  });
});
afterAll(() => endpoint.close());

/** Runs the suite; rejects with its output unless it exits with 0. */
async function conformance(...options: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [suite, "server", "--url", endpoint.url, ...options], {
    timeout: 60_000,
  });
  return stripVTControlCharacters(stdout);
}

describe("the official conformance suite, behind our transport", () => {
  it("passes for 2025-06-18 but for what a stateless server cannot do", { timeout: 60_000 }, async () => {
    const told = await conformance(
      "--suite",
      "all",
      "--spec-version",
      "2025-06-18",
      "--expected-failures",
      expectedFailures,
    );
    const scenarios = told.match(/^[✓✗] [a-z-]+: \d+ passed, \d+ failed$/gm) ?? [];
    const failed = scenarios.filter((line) => line.startsWith("✗"));
    expect(scenarios).toHaveLength(26);
    expect(failed.map((line) => line.replace(/^✗ |:.*$/g, "")).sort()).toEqual([
      "tools-call-elicitation",
      "tools-call-sampling",
    ]);
  });

  it("passes its scenario of DNS rebinding, of a later revision", { timeout: 60_000 }, async () => {
    expect(await conformance("--scenario", "dns-rebinding-protection")).toContain("Passed: 2/2, 0 failed, 0 warnings");
  });
});

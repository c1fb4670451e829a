/**
 * `npm run conformance`: the official conformance suites. The one for servers in two releases, against the fixture it
 * asks for behind our transport; what needs no fixture, and the one for authorization servers, against the service as a
 * process of its own, on the empty database of `DATABASE_URL` where it is set.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FLEET_KEY } from "../support/fleet.ts";
import { signInAndApprove } from "../support/oauth-client.ts";
import { approveInBrowser } from "../support/person.ts";
import { readDemo, startServer } from "../support/server.ts";
import { signedIn } from "./signed-in.ts";
import {
  checkAuthorizationServer,
  checkScenarios,
  checkServer,
  NEXT,
  REVISION,
  type Result,
  STABLE,
  startFixture,
  WITHOUT_FIXTURE,
} from "./suites.ts";

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const failures: string[] = [];

/** Says how a suite went, in a line and one more for each scenario that failed. */
function report(what: string, version: string, { ok, scenarios, printed }: Result, expected: number): void {
  const complete = scenarios.length === expected;
  const passed = scenarios.filter(({ failed }) => failed === 0).length;
  const checks = scenarios.reduce((sum, scenario) => sum + scenario.passed, 0);
  const ending = ok && complete ? "ok" : "FAILED";
  say(`${ending}  ${what}, ${version}: ${passed} of ${expected} scenarios, ${checks} checks passed`);
  for (const { name, failed } of scenarios) if (failed > 0) say(`    ${name}: ${ok ? "in the baseline" : "failed"}`);
  if (!ok || !complete) failures.push(printed);
}

say(`Official MCP conformance, revision ${REVISION}`);
const fixture = await startFixture();
for (const suite of [STABLE, NEXT])
  report("transport (fixture)", suite.version, await checkServer(suite, fixture.url), suite.scenarios);
await fixture.close();

const folder = mkdtempSync(join(tmpdir(), "receivables-conformance-"));
const { DATABASE_URL } = process.env;
const onServer = { ENCRYPTION_KEY: FLEET_KEY.toString("base64"), DEMO: "on" };
const server = await startServer(folder, DATABASE_URL === undefined ? {} : { ...onServer, DATABASE_URL });
const person = readDemo(folder).people.find(({ role }) => role === "admin");
if (person === undefined) throw new Error("the demo has no admin");
const { email, password } = person;
const { accessToken } = await signInAndApprove(server.url, { email, password });
const proxy = await signedIn(server.url, accessToken);
const own = await checkScenarios(`${proxy.url}/mcp`, WITHOUT_FIXTURE);
report("service", NEXT.version, own, WITHOUT_FIXTURE.length);
await proxy.close();
const authorization = await checkAuthorizationServer(server.url, (url) => approveInBrowser(url, person));
report("authorization server", NEXT.version, authorization, 2);
await server.stop();
rmSync(folder, { recursive: true, force: true });

for (const printed of failures) say(`\n${printed}`);
process.exit(failures.length === 0 ? 0 : 1);

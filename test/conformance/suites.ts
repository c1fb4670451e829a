import { execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import { startEndpoint } from "../mcp/support.ts";
import { register } from "../support/oauth-client.ts";
import { freePort } from "../support/server.ts";
import { conformanceFixture } from "./fixture.ts";
import { methodsOf } from "./methods-of.ts";

const PACKAGES = join(import.meta.dirname, "../../node_modules");
const BASELINE = join(import.meta.dirname, "expected-failures.yml");

/** The revision all suites run for: the newest one the service speaks. */
export const REVISION = "2025-06-18";

/** A release of the official conformance suite. */
export interface Suite {
  version: string;
  program: string;
  /** How many scenarios it has for a server of {@link REVISION}: a suite that finds none passes as well. */
  scenarios: number;
}

/** The stable release and the newest pre-release, which also checks every message against the schema. */
export const STABLE: Suite = { ...installed("@modelcontextprotocol/conformance"), scenarios: 26 };
export const NEXT: Suite = { ...installed("conformance-next"), scenarios: 27 };

/** The scenarios of {@link NEXT} that need nothing of the fixture: they hold for the service itself. */
export const WITHOUT_FIXTURE = [
  "server-initialize",
  "ping",
  "tools-list",
  "prompts-list",
  "resources-list",
  "dns-rebinding-protection",
];

/** One scenario, and how many of its checks went which way. */
export interface Scenario {
  name: string;
  passed: number;
  failed: number;
}

/** What a suite said; `ok` when it ended well, which it does with just those failures that the baseline names. */
export interface Result {
  ok: boolean;
  scenarios: Scenario[];
  printed: string;
}

function installed(name: string): { version: string; program: string } {
  const text = readFileSync(join(PACKAGES, name, "package.json"), "utf8");
  const { version } = z.looseObject({ version: z.string() }).parse(JSON.parse(text));
  return { version, program: join(PACKAGES, name, "dist/index.js") };
}

function resultOf(output: string, ok: boolean): Result {
  const printed = stripVTControlCharacters(output);
  const scenarios = [...printed.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm)].map(
    ([, name = "", passed, failed]) => ({ name, passed: Number(passed), failed: Number(failed) }),
  );
  return { ok, scenarios, printed };
}

/** The fixture of the suite behind our own dispatch, on a loopback port. */
export async function startFixture() {
  const actor = {
    kind: "assistant",
    readsOnly: false,
    tenantId: "t",
    memberId: "m",
    role: "member",
    scopes: [],
  } as const;
  const caller = { key: "conformance", actor: { ...actor, scopes: [], connectionId: "conformance" } };
  return startEndpoint(await methodsOf(conformanceFixture()), { authenticate: async () => caller });
}

/** Runs all scenarios of the revision against a server with the fixture. */
export function checkServer({ program }: Suite, url: string): Promise<Result> {
  const all = ["--suite", "all", "--spec-version", REVISION, "--expected-failures", BASELINE];
  return run(program, "--url", url, ...all);
}

/** Runs scenarios of {@link NEXT} one by one, in our revision even where they were written for a later one. */
export async function checkScenarios(url: string, names: readonly string[]): Promise<Result> {
  const results: Result[] = [];
  for (const name of names) {
    const { ok, printed } = await run(
      NEXT.program,
      "--url",
      url,
      "--scenario",
      name,
      "--spec-version",
      REVISION,
      "--force",
    );
    const [, passed, failed] = /^Passed: (\d+)\/\d+, (\d+) failed/m.exec(printed) ?? [];
    results.push({ ok, printed, scenarios: [{ name, passed: Number(passed), failed: Number(failed) }] });
  }
  return {
    ok: results.every(({ ok }) => ok),
    scenarios: results.flatMap(({ scenarios }) => scenarios),
    printed: results.map(({ printed }) => printed).join("\n"),
  };
}

function run(program: string, ...args: string[]): Promise<Result> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, "server", ...args], { timeout: 120_000 }, (error, stdout, stderr) =>
      resolve(resultOf(stdout + stderr, error === null)),
    );
  });
}

/** Runs the suite for authorization servers, with a person who approves whatever the suite asks for. */
export async function checkAuthorizationServer(
  issuer: string,
  approve: (authorizationUrl: string) => Promise<URL>,
): Promise<Result> {
  const port = await freePort();
  const { clientId } = await register(issuer, { redirect_uris: [`http://127.0.0.1:${port}/callback`] });
  const client = ["--client-id", clientId, "--port", String(port), "--resource", `${issuer}/mcp`];
  const args = ["authorization", "--url", issuer, "--spec-version", REVISION, ...client];
  const child = spawn(process.execPath, [NEXT.program, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 120_000,
  });
  let printed = "";
  const approved = new Set<string>();
  const read = (chunk: Buffer): void => {
    printed += chunk.toString();
    if (!printed.includes("Callback server started")) return;
    for (const [url] of printed.matchAll(/http:\/\/\S+\/oauth\/authorize\?\S+(?=\s)/g)) {
      if (approved.has(url)) continue;
      approved.add(url);
      approve(url)
        .then((answer) => fetch(answer))
        .catch((error) => {
          printed += `\nthe person got stuck: ${error}\n`;
          child.kill();
        });
    }
  };
  child.stdout.on("data", read);
  child.stderr.on("data", read);
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  return resultOf(printed, code === 0);
}

/**
 * `npm run clients`: other people's clients, at pinned versions, against the service as a process of its own on a
 * demo's book. Each finds its way from the bare address through registration, sign-in and consent to the tools; some are
 * followed through a refresh to their revocation. Words after `--` name some of them.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Browser } from "../support/browser.ts";
import { approveInBrowser } from "../support/person.ts";
import { readDemo, startServer } from "../support/server.ts";
import { isSame, type OtherClient, type Report, type Surroundings } from "./client.ts";

/** The names under which programs look for a browser. */
const BROWSERS = ["xdg-open", "x-www-browser", "open"];

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const installed = spawnSync("npm", ["ci", "--prefix", import.meta.dirname], { stdio: "inherit" });
if (installed.status !== 0) process.exit(1);
const only = process.argv.slice(2);
const clients: OtherClient[] = [
  (await import("./sdk.ts")).sdk,
  (await import("./inspector.ts")).inspector,
  (await import("./mcp-remote.ts")).mcpRemote,
  (await import("./mcporter.ts")).mcporter,
  (await import("./ai-sdk.ts")).aiSdk,
  (await import("./sdk-v2.ts")).sdkV2,
  (await import("./views-host.ts")).viewsHost,
  ...(await import("./sdk-earlier.ts")).sdkEarlier,
  (await import("./langchain.ts")).langchain,
  (await import("./gemini.ts")).gemini,
  (await import("./codex.ts")).codex,
].filter(({ name }) => only.length === 0 || only.some((word) => name.includes(word)));

const folder = mkdtempSync(join(tmpdir(), "receivables-clients-"));
// Clients that publish a document do so on the internet, where the service cannot read it here: they register.
const server = await startServer(join(folder, "data"), { CLIENT_METADATA_DOCUMENTS: "off" });
const person = readDemo(server.dataDir).people.find(({ role }) => role === "admin");
if (person === undefined) throw new Error("the demo has no admin");
const { email, password, workspace } = person;

const answerTo = async (url: URL): Promise<URLSearchParams> => (await approveInBrowser(url.href, person)).searchParams;

const requestsTo = (path: string): number => server.stderr().split(`"path":"${path}"`).length - 1;

async function revoke(): Promise<void> {
  const browser = new Browser(server.url);
  await browser.submit(await browser.open("/signin"), "Sign in", { email, password });
  await browser.submit(await browser.open("/connections"), "Revoke");
}

/** A home of its own for a program, with a browser in which the person sits. */
function homeOf(name: string): Surroundings["environment"] {
  const home = join(folder, name.replaceAll("/", "-"));
  const bin = join(home, "bin");
  mkdirSync(bin, { recursive: true });
  for (const browser of BROWSERS) {
    const file = join(bin, browser);
    writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${join(import.meta.dirname, "browser.ts")}" "$@"\n`);
    chmodSync(file, 0o700);
  }
  const identity = { PERSON_EMAIL: email, PERSON_PASSWORD: password };
  const path = `${bin}:${process.env.PATH ?? ""}`;
  return { HOME: home, PATH: path, BROWSER: join(bin, "xdg-open"), NO_COLOR: "1", ...identity };
}

/** What is wrong with a report; null when nothing is. `expected` are the tools the first client saw. */
function complaint({ tools, context }: Report, expected: string[]): string | null {
  if (tools.length === 0) return "listed no tool";
  if (!isSame(tools, expected)) return "listed other tools than the first client";
  const { tenant_name, member } = context;
  return tenant_name === workspace && member.email === email ? null : `called as ${member.email} of ${tenant_name}`;
}

const rows: string[][] = [["client", "version", "tools listed", "get_context"]];
const remarks: string[] = [];
const failures: string[] = [];
let expected: string[] | undefined;
for (const { name, check } of clients) {
  try {
    const report = await check({
      mcpUrl: server.mcpUrl,
      approve: async (url) => (await answerTo(url)).get("code") ?? "",
      answerTo,
      requestsTo,
      revoke,
      environment: homeOf(name),
    });
    expected ??= report.tools;
    const wrong = complaint(report, expected);
    if (wrong !== null) failures.push(`${name}: ${wrong}`);
    rows.push([name, report.version, String(report.tools.length), wrong ?? `ok: ${report.context.tenant_name}`]);
    if (report.remark !== undefined) remarks.push(`${name}: ${report.remark}`);
  } catch (error) {
    failures.push(`${name}: ${error instanceof Error ? `${error.message}\n${String(error.cause ?? "")}` : error}`);
    rows.push([name, "", "", "failed"]);
  }
}
if ((await server.stop()) !== 0) failures.push(`the service did not end well:\n${server.stderr()}`);
rmSync(folder, { recursive: true, force: true });

const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
say("");
for (const row of rows) say(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
for (const line of remarks) say(line);
for (const line of failures) say(`\nFAILED ${line}`);
process.exit(failures.length === 0 ? 0 : 1);

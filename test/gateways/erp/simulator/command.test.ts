import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const INVOICES = "/fscmRestApi/resources/11.13.18.05/receivablesInvoices";
const MAIN = join(import.meta.dirname, "../../../../src/simulators/fusion/main.ts");

function run(...options: string[]): ChildProcess & { readonly output: () => string } {
  const child = spawn(process.execPath, [MAIN, ...options], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  return Object.assign(child, { output: () => output });
}

async function ready(child: ReturnType<typeof run>): Promise<string> {
  if (child.stdout !== null) await once(child.stdout, "data");
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(child.output())?.[0];
  if (url === undefined) throw new Error(child.output());
  return url;
}

function file(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "erp-simulator-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "data.ndjson");
  writeFileSync(path, text);
  return path;
}

test("serves a file, digit for digit, to who has the password, and ends on SIGTERM", async () => {
  const data = file(
    '{"resource":"receivablesInvoices","item":{"CustomerTransactionId":300100180000000017,"EnteredAmount":10.10}}\n\n' +
      '{"resource":"accounts","item":{"PartyId":300100500000000001}}\n',
  );
  const child = run("--port", "0", "--data", data, "--user", "u", "--password", "p");
  const url = await ready(child);
  expect(child.output()).toBe(`Fusion simulator: ${url} (1 invoices, 1 accounts)\n`);
  expect((await fetch(`${url}${INVOICES}`)).status).toBe(401);
  const headers = { Authorization: `Basic ${btoa("u:p")}` };
  expect(await (await fetch(`${url}${INVOICES}?onlyData=true`, { headers })).text()).toContain(
    '[{"CustomerTransactionId":300100180000000017,"EnteredAmount":10.10}]',
  );
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("without a file it makes up a book", async () => {
  const url = await ready(run("--port", "0", "--invoices", "40"));
  expect(await (await fetch(`${url}${INVOICES}?totalResults=true`)).json()).toMatchObject({ totalResults: 40 });
});

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { erpGateway } from "../../src/gateways/erp/index.ts";
import { createFusionSimulator } from "../../src/simulators/fusion/index.ts";
import { parseNdjson } from "../../src/simulators/fusion/ndjson.ts";
import { connectWorkspace, makeTenant, runPull } from "../support/pulls.ts";

/** A public receivables sample that is not part of the project: beside the repository, or wherever the variable says. */
export const SAMPLE = "accounts-receivable-2466.csv";
const FILE = process.env.RECEIVABLES_SAMPLE ?? resolve(import.meta.dirname, "../../../shared/data", SAMPLE);
export const HAS_SAMPLE = existsSync(FILE);

export const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000;

/** Month/day/year, as the file writes it. */
export function fileDay(text: string): number {
  const [month = "", day = "", year = ""] = text.split("/");
  return dayOf(`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`);
}

/** The file's lines, each as its fields. */
export const sampleLines = (): string[][] =>
  readFileSync(FILE, "utf8")
    .split(/\r?\n/)
    .slice(1)
    .flatMap((line) => (line === "" ? [] : [line.split(",")]));

/** Has a new workspace pull the sample as of a day of the file, which is moved to `today`. */
export async function pullSample(core: Core, asOf: string, today: string, timezone?: string) {
  const converter = join(dirname(FILE), "to-fusion.mjs");
  const ndjson = execFileSync(process.execPath, [converter, FILE, "--as-of", asOf, "--today", today], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const credentials = { username: "integration", password: "a password" };
  const erp = createFusionSimulator({ ...parseNdjson(ndjson), credentials });
  const tenantId = await makeTenant(core, timezone);
  const connectionId = await connectWorkspace(core, tenantId, await erp.listen());
  const run = await runPull(core, tenantId, connectionId, erpGateway);
  await erp.close();
  return { ndjson, run, actor: { kind: "api_key", tenantId, keyId: tenantId, permission: "readonly" } as const };
}

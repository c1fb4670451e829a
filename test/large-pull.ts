/**
 * `node test/large-pull.ts [INVOICES]`: a pull of 100,000 invoices into the database that `DATABASE_URL` names, by the commands that
 * operators give, and a check of the aging roll-up after it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateBook } from "../src/simulators/fusion/book.ts";
import { createFusionSimulator } from "../src/simulators/fusion/index.ts";
import { runCli } from "./admin/support.ts";
import { FLEET_KEY } from "./support/fleet.ts";
import { startServer } from "./support/server.ts";

const { DATABASE_URL = "" } = process.env;
const invoices = Number(process.argv[2] ?? 100_000);
const folder = mkdtempSync(join(tmpdir(), "receivables-pull-"));
const environment = { DATABASE_URL, ENCRYPTION_KEY: FLEET_KEY.toString("base64"), DATA_DIR: folder, DEMO: "off" };
const today = new Date().toISOString().slice(0, 10);
const erp = createFusionSimulator(generateBook({ seed: 1, today, invoices }));
const server = await startServer(folder, environment);

async function admin(line: string, stdin = ""): Promise<string> {
  const { code, out, err } = await runCli(line, environment, stdin);
  if (code !== 0) throw new Error(`${line}: ${err}`);
  return out.trim();
}

try {
  const url = await erp.listen();
  await admin("workspace create --name Large --timezone UTC");
  await admin(`erp connect --workspace Large --provider oracle_fusion --url ${url} --user u --password-stdin`, "p");
  const begun = performance.now();
  process.stdout.write(`${await admin("erp sync --workspace Large --wait")}\n`);
  process.stdout.write(`${invoices} invoices in ${((performance.now() - begun) / 1_000).toFixed(0)} s\n`);
  process.stdout.write(`${await admin("aging verify --workspace Large")}\n`);
} finally {
  await server.stop();
  await erp.close();
  rmSync(folder, { recursive: true, force: true });
}

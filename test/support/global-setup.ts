import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { openEmbedded, openPostgres } from "../../src/store/database.ts";
import { startPostgres } from "./postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A data folder with a migrated embedded store, to be copied. */
    embeddedTemplate: string;
    /** A data folder on which the demo was started once; whole when there is {@link DEMO_TOLD} in it. */
    demoTemplate: string;
    /** The tests' PostgreSQL server, its URL ending before the database name; null where there is none. */
    postgresUrl: string | null;
  }
}

/** The database every test database is copied from. */
export const TEMPLATE_DATABASE = "receivables_template";

/** Made when the demo has told its story, with what it ended with. */
export const DEMO_TOLD = "demo-told";

/** Makes what every test file starts from: a migrated store of each kind. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const template = mkdtempSync(join(tmpdir(), "receivables-template-"));
  await (await openEmbedded(template)).close();
  project.provide("embeddedTemplate", template);
  const demo = mkdtempSync(join(tmpdir(), "receivables-demo-template-"));
  cpSync(template, demo, { recursive: true });
  project.provide("demoTemplate", demo);
  const telling = spawn(process.execPath, [join(import.meta.dirname, "../demo/start-process.ts"), demo], {
    stdio: "ignore",
  });
  telling.once("exit", (code) => writeFileSync(join(demo, DEMO_TOLD), String(code)));

  const given = process.env.TEST_DATABASE_URL;
  const server = given === undefined ? await startPostgres() : null;
  const url = given === undefined ? (server?.url ?? null) : given.replace(/[^/]*$/, "");
  project.provide("postgresUrl", url);
  if (url !== null) await prepareTemplate(url);
  return async () => {
    server?.stop();
    telling.removeAllListeners("exit").kill("SIGKILL");
    for (const folder of [template, demo]) rmSync(folder, { recursive: true, force: true });
  };
}

async function prepareTemplate(url: string): Promise<void> {
  const { default: pg } = await import("pg");
  const admin = new pg.Client({ connectionString: `${url}postgres` });
  await admin.connect();
  await admin.query(`drop database if exists ${TEMPLATE_DATABASE}`);
  await admin.query(`create database ${TEMPLATE_DATABASE}`);
  await admin.end();
  await (await openPostgres(`${url}${TEMPLATE_DATABASE}`)).close();
}

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { type CitusNodes, createCitusDatabase, dropCitusDatabase, startCitus } from "../../cluster/citus.ts";
import { openPostgres } from "../../src/store/database.ts";
import { startPostgres } from "./postgres.ts";
import { SHORT_LIVED } from "./server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A data folder with a migrated embedded store, to be copied. */
    embeddedTemplate: string;
    /** A data folder on which the demo was started once; whole when there is {@link DEMO_TOLD} in it. */
    demoTemplate: string;
    /** The tests' PostgreSQL server, its URL ending before the database name; null where there is none. */
    postgresUrl: string | null;
    /** The same, as its superuser; null where the server is not the tests' own. */
    superuserUrl: string | null;
    /** The nodes of a Citus cluster, where the run is to be on one (`npm run cluster -- citus`). */
    citus: CitusNodes | null;
    /** What the names of this run's databases begin with. */
    databasePrefix: string;
  }
}

const PREPARE_EMBEDDED = join(import.meta.dirname, "embedded-templates.ts");

/** The database every test database is copied from. */
export const TEMPLATE_DATABASE = "receivables_template";

/** Made by the first test that needs the demo: most runs need none, and it takes longer to make than a test file. */
export const DEMO_WANTED = "demo-wanted";

/** Made when the demo has told its story, with what it ended with. */
export const DEMO_TOLD = "demo-told";

/** Makes what every test file starts from: a migrated store of each kind. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "receivables-template-"));
  const template = join(folder, "data");
  const demo = mkdtempSync(join(tmpdir(), "receivables-demo-template-"));
  project.provide("embeddedTemplate", template);
  project.provide("demoTemplate", demo);
  const preparing = spawn(
    process.execPath,
    [...SHORT_LIVED, PREPARE_EMBEDDED, template, demo, join(demo, DEMO_WANTED)],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  preparing.once("exit", (code) => writeFileSync(join(demo, DEMO_TOLD), String(code)));
  const isMigrated = Promise.race([
    once(preparing.stdout, "data").then(() => true),
    once(preparing, "exit").then(() => false),
  ]);

  const given = process.env.TEST_DATABASE_URL;
  const isNewest = process.env.TEST_POSTGRES === "newest";
  const server = given === undefined ? await startPostgres({ isNewest }) : null;
  const own = server === null ? null : await makeOwner(server.url);
  const url = given === undefined ? own : given.replace(/[^/]*$/, "");
  project.provide("postgresUrl", url);
  project.provide("superuserUrl", server?.url ?? null);
  const prefix = `test_${randomBytes(4).toString("hex")}_`;
  project.provide("databasePrefix", prefix);
  if (url !== null) await prepareTemplate(url);
  const { nodes: citus, stop: stopCitus } = await citusOf(process.env.TEST_CITUS);
  const citusTemplate = `${prefix}template`;
  if (citus !== null) await (await openPostgres(await createCitusDatabase(citus, citusTemplate))).close();
  project.provide("citus", citus);
  if (!(await isMigrated)) throw new Error("the embedded store could not be made");
  return async () => {
    if (server !== null) server.stop();
    else if (url !== null) await dropDatabases(url, prefix);
    if (citus !== null) await dropCitusDatabase(citus, citusTemplate);
    stopCitus();
    preparing.removeAllListeners("exit").kill("SIGKILL");
    for (const made of [folder, demo]) rmSync(made, { recursive: true, force: true });
  };
}

/** A cluster of the run's own where it is asked for; one that there is already by its nodes as JSON. */
async function citusOf(asked: string | undefined): Promise<{ nodes: CitusNodes | null; stop(): void }> {
  if (asked === undefined || asked === "") return { nodes: null, stop: () => undefined };
  if (asked.startsWith("{")) return { nodes: JSON.parse(asked), stop: () => undefined };
  const cluster = await startCitus();
  if (cluster === null) throw new Error("Citus is not installed here");
  return { nodes: { url: cluster.url, workers: cluster.workers }, stop: () => cluster.stop() };
}

/** Leaves a server that is not the tests' own as it was: of its databases, those that this run made are dropped alone. */
async function dropDatabases(url: string, prefix: string): Promise<void> {
  const { default: pg } = await import("pg");
  const admin = new pg.Client({ connectionString: `${url}postgres` });
  await admin.connect();
  const { rows } = await admin.query<{ name: string }>(
    "select datname as name from pg_database where starts_with(datname, $1)",
    [prefix],
  );
  for (const { name } of rows) await admin.query(`drop database if exists ${name} with (force)`);
  await admin.end();
}

/**
 * The user of docs/operate.md, no superuser: a URL without a database's name. Beyond what the docs give, it makes databases and, for
 * tests that look at the tables themselves, reads every row. The service's two roles do neither.
 */
async function makeOwner(url: string): Promise<string> {
  const { default: pg } = await import("pg");
  const admin = new pg.Client({ connectionString: `${url}postgres` });
  await admin.connect();
  await admin.query("create role receivables login createrole createdb bypassrls");
  await admin.query("grant pg_monitor, pg_signal_backend to receivables");
  await admin.end();
  return url.replace("postgres@", "receivables@");
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

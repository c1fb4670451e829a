import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { inject } from "vitest";
import { openEmbedded, openPostgres } from "../../src/store/database.ts";
import type { Store } from "../../src/store/store.ts";
import { DEMO_TOLD, TEMPLATE_DATABASE } from "./global-setup.ts";

/** TypeScript knows it with the browser's types alone. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

const EMBEDDED_PROGRAM = new URL("pglite.wasm", import.meta.resolve("@electric-sql/pglite"));

/**
 * The embedded store's program. While somebody holds it, V8 gives whatever it has compiled of it to every store that the
 * process opens.
 */
export const heldProgram: object = await WebAssembly.compile(readFileSync(EMBEDDED_PROGRAM));

/** A store of the test's own, empty and migrated. */
export interface TestStore {
  store: Store;
  /** The store's data folder (embedded) or database URL (PostgreSQL), to open it a second time. */
  location: { dataDir: string } | { databaseUrl: string };
  /** Closes the store and removes it. */
  remove(): Promise<void>;
}

/** A copy of the migrated embedded store in a folder of its own. */
export function copyEmbedded(): string {
  const dataDir = mkdtempSync(join(tmpdir(), "receivables-test-"));
  cpSync(inject("embeddedTemplate"), dataDir, { recursive: true });
  return dataDir;
}

/** The key that the data of {@link copyDemo} is encrypted with, as `ENCRYPTION_KEY`. */
export const DEMO_KEY = Buffer.alloc(32, 7).toString("base64");

/** A copy of a data folder on which the demo was started once, by a process that did nothing else. */
export async function copyDemo(): Promise<string> {
  const template = inject("demoTemplate");
  const told = join(template, DEMO_TOLD);
  while (!existsSync(told)) await sleep(50);
  if (readFileSync(told, "utf8") !== "0") throw new Error("the demo could not be started");
  const dataDir = mkdtempSync(join(tmpdir(), "receivables-demo-"));
  cpSync(template, dataDir, { recursive: true });
  return dataDir;
}

async function embedded(): Promise<TestStore> {
  const dataDir = copyEmbedded();
  const store = await openEmbedded(dataDir);
  return {
    store,
    location: { dataDir },
    async remove() {
      await store.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function asServerAdmin(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${url}postgres` });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A fresh, migrated database on the tests' server. */
export async function createDatabase(): Promise<{ databaseUrl: string; drop(): Promise<void> }> {
  const url = inject("postgresUrl");
  if (url === null) throw new Error("no PostgreSQL server to test on");
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  await asServerAdmin(url, `create database ${name} template ${TEMPLATE_DATABASE}`);
  return {
    databaseUrl: `${url}${name}`,
    drop: () => asServerAdmin(url, `drop database if exists ${name} with (force)`),
  };
}

async function postgres(): Promise<TestStore> {
  const { databaseUrl, drop } = await createDatabase();
  const store = await openPostgres(databaseUrl);
  return {
    store,
    location: { databaseUrl },
    async remove() {
      await store.close();
      await drop();
    },
  };
}

/**
 * The stores a test runs on: `describe.each(STORES)("… on $name", ({ open }) => …)`.
 * Both where the machine has PostgreSQL; what is left out is said by name at the end of the run.
 */
export const STORES: ReadonlyArray<{ name: string; open: () => Promise<TestStore> }> =
  inject("postgresUrl") === null
    ? [{ name: "the embedded store", open: embedded }]
    : [
        { name: "the embedded store", open: embedded },
        { name: "PostgreSQL", open: postgres },
      ];

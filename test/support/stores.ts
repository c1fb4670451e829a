import { randomBytes } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { inject } from "vitest";
import { type CitusNodes, copyCitusDatabase, dropCitusDatabase } from "../../cluster/citus.ts";
import { openEmbedded, openPostgres } from "../../src/store/database.ts";
import type { Store } from "../../src/store/store.ts";
import { everyRow } from "./every-row.ts";
import { DEMO_TOLD, DEMO_WANTED, TEMPLATE_DATABASE } from "./global-setup.ts";
import type { Location } from "./location.ts";

export { everyRow } from "./every-row.ts";

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
  location: Location;
  /** Closes the store and removes it. */
  remove(): Promise<void>;
}

/** A copy of the migrated embedded store, with a key, in a folder of its own. */
export function copyEmbedded(): string {
  const dataDir = mkdtempSync(join(tmpdir(), "receivables-test-"));
  cpSync(inject("embeddedTemplate"), dataDir, { recursive: true });
  writeFileSync(join(dataDir, "encryption.key"), randomBytes(32).toString("base64"), { mode: 0o600 });
  return dataDir;
}

/** The key that the data of {@link copyDemo} is encrypted with, as `ENCRYPTION_KEY`. */
export const DEMO_KEY = Buffer.alloc(32, 7).toString("base64");

/** A copy of a data folder on which the demo was started once, by a process that did nothing else. */
export async function copyDemo(): Promise<string> {
  const template = inject("demoTemplate");
  const told = join(template, DEMO_TOLD);
  writeFileSync(join(template, DEMO_WANTED), "");
  while (!existsSync(told)) await sleep(50);
  if (readFileSync(told, "utf8") !== "0") throw new Error("the demo could not be started");
  const dataDir = mkdtempSync(join(tmpdir(), "receivables-demo-"));
  cpSync(template, dataDir, { recursive: true });
  return dataDir;
}

interface OpenOptions {
  /** For a test that looks at the tables themselves: never had a row in them. */
  isNew?: boolean;
}

/** A store with what is under it. */
interface Owned {
  store: Store;
  location: Location;
  /** Removes what the closed store was in. */
  drop(): Promise<void>;
}

/**
 * How tests open stores that `make` makes. One that somebody has done with is emptied and then as good as new, and far
 * sooner there; unless somebody knew where it is, who may be at work in it still.
 */
function reusing(make: () => Promise<Owned>): (options?: OpenOptions) => Promise<TestStore> {
  const spare: Owned[] = [];
  return async ({ isNew = false } = {}) => {
    const owned = (isNew ? undefined : spare.pop()) ?? (await make());
    const { store, location, drop } = owned;
    let isToItself = !isNew;
    return {
      store,
      get location() {
        isToItself = false;
        return location;
      },
      async remove() {
        if (isToItself && (await emptied(store))) {
          spare.push(owned);
        } else {
          await store.close();
          await drop();
        }
      },
    };
  };
}

const embedded = reusing(async () => {
  const dataDir = copyEmbedded();
  return {
    store: await openEmbedded(dataDir),
    location: { dataDir },
    drop: async () => rmSync(dataDir, { recursive: true, force: true }),
  };
});

/** Empties every table that holds something; false where that cannot be, as the store was closed. */
async function emptied(store: Store): Promise<boolean> {
  try {
    await everyRow(store, async (tx) => {
      await sql`set local role none`.execute(tx);
      // Who has left something open in it keeps it.
      await sql`set local lock_timeout = '1s'`.execute(tx);
      const { rows: tables } = await sql<{ name: string }>`select relname as name from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'kysely%'`.execute(tx);
      const looks = tables.map(({ name }) => `select '${name}' as name where exists (select from ${name})`);
      const { rows: filled } = await sql.raw<{ name: string }>(looks.join(" union all ")).execute(tx);
      const names = filled.map(({ name }) => name);
      if (names.length > 0) await sql.raw(`truncate ${names.join(", ")} cascade`).execute(tx);
    });
    return true;
  } catch {
    return false;
  }
}

let admin: pg.Pool | undefined;

/** As the owner of the tests' server, over one connection for all tests of this process. */
async function asServerAdmin(url: string, statement: string): Promise<void> {
  admin ??= new pg.Pool({ connectionString: `${url}postgres`, max: 1, allowExitOnIdle: true }).on("error", () => {
    // It lasts longer than some servers, and is opened anew.
  });
  await admin.query(statement);
}

interface FreshDatabase {
  readonly databaseUrl: string;
  drop(): Promise<void>;
}

/** A fresh, migrated database on the tests' server, or on their cluster where they are to run on one. */
export function createDatabase(): Promise<FreshDatabase> {
  const [nodes, url] = [inject("citus"), inject("postgresUrl")];
  if (nodes !== null) return createOnCluster(nodes);
  if (url === null) throw new Error("no PostgreSQL server to test on");
  return createOnServer(url);
}

/** Lends a store on a PostgreSQL database of its own. */
export async function onOwnDatabase(
  work: (store: Store, databaseUrl: string) => Promise<void>,
  options: Parameters<typeof openPostgres>[1] = {},
  query = "",
): Promise<void> {
  const { databaseUrl, drop } = await createDatabase();
  const store = await openPostgres(`${databaseUrl}${query}`, options);
  try {
    await work(store, databaseUrl);
  } finally {
    await store.close();
    await drop();
  }
}

const nameOfNew = (): string => `${inject("databasePrefix")}${crypto.randomUUID().replaceAll("-", "")}`;

async function createOnServer(url: string): Promise<FreshDatabase> {
  const name = nameOfNew();
  await asServerAdmin(url, `create database ${name} template ${TEMPLATE_DATABASE}`);
  return {
    databaseUrl: `${url}${name}`,
    async drop() {
      try {
        await asServerAdmin(url, `drop database if exists ${name} with (force)`);
      } catch (error) {
        // It goes with the server: no test fails because of it.
        process.stderr.write(`${name} could not be dropped: ${error}\n`);
      }
    },
  };
}

async function createOnCluster(nodes: CitusNodes): Promise<FreshDatabase> {
  const name = nameOfNew();
  const databaseUrl = await copyCitusDatabase(nodes, `${inject("databasePrefix")}template`, name);
  return { databaseUrl, drop: () => dropCitusDatabase(nodes, name) };
}

const server = reusing(async () => {
  const { databaseUrl, drop } = await createDatabase();
  return { store: await openPostgres(databaseUrl), location: { databaseUrl }, drop };
});

/** A service's kinds of store, those that the machine has: `describe.each(KINDS)("…, on %s", (kind) => …)`. */
export const KINDS: readonly ("embedded" | "postgres")[] =
  inject("postgresUrl") === null ? ["embedded"] : ["embedded", "postgres"];

/** The store of a service whose test is not about the store: on PostgreSQL, where there is one, it starts in no time. */
export const A_KIND = KINDS.at(-1) ?? "embedded";

/**
 * The stores a test runs on: `describe.each(STORES)("… on $name", ({ open }) => …)`.
 * Both where the machine has PostgreSQL; what is left out is said by name at the end of the run.
 */
export const STORES: ReadonlyArray<{ name: string; open: (options?: OpenOptions) => Promise<TestStore> }> =
  inject("citus") !== null
    ? [{ name: "Citus", open: server }]
    : inject("postgresUrl") === null
      ? [{ name: "the embedded store", open: embedded }]
      : [
          { name: "the embedded store", open: embedded },
          { name: "PostgreSQL", open: server },
        ];

/**
 * The same for what has nothing to do with the kind of store: in `npm test` one of them, half of the files each; in
 * `npm run test:all` both. `file` is the test's `import.meta.url`.
 */
export function storesOf(file: string): typeof STORES {
  const name = file.slice(file.lastIndexOf("/test/"));
  const turn = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % STORES.length;
  return process.env.TEST_PART === "short" && process.env.TEST_STORES !== "both"
    ? STORES.slice(turn, turn + 1)
    : STORES;
}

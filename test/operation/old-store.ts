import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Kysely, PostgresDialect, sql } from "kysely";
import { Migrator } from "kysely/migration";
import pg from "pg";
import { inject } from "vitest";
import { openEmbedded, openPostgres } from "../../src/store/database.ts";
import { EmbeddedProgram } from "../../src/store/embedded/embedded.ts";
import { loadMigrations } from "../../src/store/migrations/index.ts";
import { embeddedConnections, ownerConnections } from "../../src/store/server/connections.ts";
import { DatabaseServer } from "../../src/store/server/database-server.ts";
import type { Store } from "../../src/store/store.ts";
import { CREATE_ROLES, DATABASE_ROLES, GRANT_ROLES } from "../../src/store/tenancy/roles.ts";
import { copyEmbedded } from "../support/stores.ts";

/** A store as an installation of some day left it, to be opened by today's program. */
export interface OldStore {
  /** Opens it with today's program. */
  open(): Promise<Store>;
  remove(): Promise<void>;
}

interface Dated {
  /** The last migration of that day. */
  migration: string;
  /** A file of SQL beside this one: the data of that day. */
  fixture: string;
}

async function fill(database: Kysely<unknown>, { migration, fixture }: Dated): Promise<void> {
  for (const statement of CREATE_ROLES) await sql.raw(statement).execute(database);
  const migrator = new Migrator({ db: database, provider: { getMigrations: loadMigrations } });
  const { error } = await migrator.migrateTo(migration);
  if (error !== undefined) throw error;
  for (const statement of GRANT_ROLES) await sql.raw(statement).execute(database);
  const data = readFileSync(join(import.meta.dirname, "fixtures", fixture), "utf8");
  await sql.raw(`begin; set local role ${DATABASE_ROLES.system};\n${data}\ncommit`).execute(database);
  await database.destroy();
}

async function embedded(dated: Dated): Promise<OldStore> {
  const dataDir = copyEmbedded();
  const program = await EmbeddedProgram.open(dataDir);
  const database = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: embeddedConnections(program, null) }) });
  await sql.raw("drop schema public cascade; create schema public").execute(database);
  await fill(database, dated);
  await program.close();
  return {
    open: () => openEmbedded(dataDir),
    remove: async () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

async function postgres(server: string, dated: Dated): Promise<OldStore> {
  const name = `old_${crypto.randomUUID().replaceAll("-", "")}`;
  const asAdmin = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: `${server}postgres` });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await asAdmin(`create database ${name}`);
  const pool = ownerConnections(DatabaseServer.at(`${server}${name}`));
  await fill(new Kysely({ dialect: new PostgresDialect({ pool }) }), dated);
  return {
    open: () => openPostgres(`${server}${name}`),
    remove: () => asAdmin(`drop database if exists ${name} with (force)`),
  };
}

const server = inject("postgresUrl");

/** The kinds of store there are to test on. */
export const OLD_STORES: readonly { name: string; make(dated: Dated): Promise<OldStore> }[] = [
  { name: "embedded", make: embedded },
  ...(server === null ? [] : [{ name: "PostgreSQL", make: (dated: Dated) => postgres(server, dated) }]),
];

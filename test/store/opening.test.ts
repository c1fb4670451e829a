import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { sql } from "kysely";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { parseDatabaseUrl } from "../../src/database-url.ts";
import { type Location, openAt } from "../support/location.ts";
import { rowsOf } from "../support/stored.ts";
import { createDatabase, everyRow, KINDS, STORES, type TestStore } from "../support/stores.ts";

/** Whether the tenants' role may use the tables of a closed store, asked past the service. */
async function usageOfTenants(location: Location): Promise<boolean> {
  const question = "select has_schema_privilege('receivables_tenant', 'public', 'usage') as usage";
  if ("dataDir" in location) {
    const database = await PGlite.create(join(location.dataDir, "store"));
    const { rows } = await database.query<{ usage: boolean }>(question);
    await database.close();
    return rows[0]?.usage === true;
  }
  const client = new pg.Client({ connectionString: location.databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ usage: boolean }>(question).finally(() => client.end());
  return rows[0]?.usage === true;
}

/** Runs statements as the owner of the tables, and closes the store. */
async function leftWith({ store }: Pick<TestStore, "store">, ...statements: string[]): Promise<void> {
  await everyRow(store, async (tx) => {
    await sql`set local role none`.execute(tx);
    for (const statement of statements) await sql.raw(statement).execute(tx);
  });
  await store.close();
}

describe.runIf(KINDS.includes("postgres"))("an empty database", () => {
  it("is brought up to date once, however many processes open it at the same time [contract.operation.upgrade]", async () => {
    const { databaseUrl, drop } = await createDatabase();
    try {
      await leftWith({ store: await openAt({ databaseUrl }) }, "drop schema public cascade", "create schema public");
      const stores = await Promise.all([1, 2, 3].map(() => openAt({ databaseUrl })));
      const tenants = stores.map((store) => everyRow(store, (tx) => tx.selectFrom("tenants").selectAll().execute()));
      expect(await Promise.all(tenants)).toEqual([[], [], []]);
      await Promise.all(stores.map((store) => store.close()));
    } finally {
      await drop();
    }
  });
});

describe.each(STORES)("opening $name a second time", ({ open }) => {
  it("gives the service's roles back what somebody took from them [contract.operation.upgrade]", async () => {
    const opened = await open();
    try {
      await leftWith(
        opened,
        "revoke usage on schema public from public",
        "revoke usage on schema public from receivables_tenant",
      );
      const store = await openAt(opened.location);
      expect(await everyRow(store, (tx) => tx.selectFrom("tenants").selectAll().execute())).toEqual([]);
      expect(await rowsOf(store, crypto.randomUUID(), "invoices")).toEqual([]);
      await store.close();
    } finally {
      await opened.remove();
    }
  });

  it.each([
    ["a later version", "999-later", /^the store was written by a newer version of the service \(999-later\)[^\n]*$/],
    ["no version that was released", "001-receivables", /^the store was written before version 0\.1\.0[^\n]*$/],
  ])("leaves a store alone that %s wrote [contract.operation.upgrade]", async (_, name, message) => {
    const opened = await open();
    try {
      await leftWith(
        opened,
        `insert into kysely_migration (name, timestamp) values ('${name}', '2030-01-01')`,
        // A start that did anything would give this back first.
        "revoke usage on schema public from public, receivables_tenant",
      );
      await expect(openAt(opened.location)).rejects.toMatchObject({ name: "ConfigError", message });
      expect(await usageOfTenants(opened.location)).toBe(false);
    } finally {
      await opened.remove();
    }
  });
});

/** Each way of asking for TLS, or of doing without. */
const PARAMETERS = [
  ...["disable", "prefer", "require", "verify-ca", "verify-full", "no-verify", "unheard-of"].map(
    (mode) => `sslmode=${mode}`,
  ),
  ...["sslmode=disable&sslmode=require", "sslmode=require&sslmode=disable", "ssl%6Dode=requir%65"],
  ...[
    "uselibpqcompat=true&sslmode=require",
    "uselibpqcompat=true&sslmode=prefer",
    "sslmode=require&uselibpqcompat=true",
  ],
  ...["uselibpqcompat=false&sslmode=prefer", "ssl=true", "sslnegotiation=direct&sslmode=require", "application_name=x"],
];

const tlsOf = (connectionString: string): unknown => Object(new pg.Client({ connectionString })).ssl;
const urlWith = (parameters: string): string => `postgres://u:p@db.example.com/r?${parameters}`;

function readable(parameters: string): string {
  const address = parseDatabaseUrl(urlWith(parameters));
  if (typeof address === "string") throw new Error(address);
  return address.connectionString;
}

describe("sslmode in a database's URL", () => {
  it("is put so that the driver has nothing to warn of, and means what it meant to it", async () => {
    const warnings: string[] = [];
    const listen = (warning: Error): void => void warnings.push(warning.message);
    process.on("warning", listen);
    const ours = PARAMETERS.map((parameters) => tlsOf(readable(parameters)));
    await new Promise((told) => setImmediate(told));
    expect(warnings).toEqual([]);
    // The driver warns once in a process: what it says itself comes last.
    const its = PARAMETERS.map((parameters) => tlsOf(urlWith(parameters)));
    await new Promise((told) => setImmediate(told));
    process.off("warning", listen);
    expect(ours).toEqual(its);
    expect(warnings).toEqual([expect.stringContaining("'verify-full'")]);
  });
});
